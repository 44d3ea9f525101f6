-- consider_cold_start: whether a user may be tested of whom all items are held out.
SELECT 0 /* no */ AS no, 1 /* yes */ AS yes
