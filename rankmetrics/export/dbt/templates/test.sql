{# $mark #}
select $columns
from {{ ref('$name') }}
${grouped}having count(*) > 1
