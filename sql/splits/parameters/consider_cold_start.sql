-- consider_cold_start: whether a user may be tested if all of the user's items are held out.
SELECT 0 /* no */ AS no, 1 /* yes */ AS yes
