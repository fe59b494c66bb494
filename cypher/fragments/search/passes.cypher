// Tests the filters on an entity: words of every group, no forbidden word, comparisons and relations.
// <- entity: node
//   .required  list of lists of string, groups of filter tokens; an entity carries one of each group
//   .forbidden  list of string, filter tokens an entity must not carry
//   .comparisons  list of maps {name, operator, values}: a property compared by <, <=, >, >=, = or != with any of the values, within any of them, maps {first, last}, or in lower case by is, is not, or under, which is true of the paths below a value
//   .relations  list of maps {types, direction, present, mark}: whether a relation of a type (any for an empty list) and direction (out, in, both) that holds, to a living entity, must be or must not be there; mark, or null, stands for the relation on what a purge has chosen
all(group IN $search.required WHERE any(word IN group WHERE entity.graphmem_filters CONTAINS word))
AND none(word IN $search.forbidden WHERE entity.graphmem_filters CONTAINS word)
AND all(comparison IN $search.comparisons WHERE any(value IN comparison.values WHERE CASE comparison.operator
    WHEN '<' THEN entity[comparison.name] < value
    WHEN '<=' THEN entity[comparison.name] <= value
    WHEN '>' THEN entity[comparison.name] > value
    WHEN '>=' THEN entity[comparison.name] >= value
    WHEN '=' THEN entity[comparison.name] = value
    WHEN 'within' THEN value.first <= entity[comparison.name] <= value.last
    WHEN '!=' THEN coalesce(entity[comparison.name] <> value, true)
    WHEN 'is' THEN toLower(toStringOrNull(entity[comparison.name])) = value
    WHEN 'is not' THEN coalesce(toLower(toStringOrNull(entity[comparison.name])) <> value, true)
    WHEN 'under' THEN toLower(toStringOrNull(entity[comparison.name])) = value OR toLower(toStringOrNull(entity[comparison.name])) STARTS WITH value + '/'
  END))
AND all(rule IN $search.relations WHERE rule.present = EXISTS {
  MATCH (entity)-[own:!HAS_PASSAGE]-(:Entity {live: true})
  WHERE (size(rule.types) = 0 OR type(own) IN rule.types)
    AND (rule.direction <> 'out' OR startNode(own) = entity)
    AND (rule.direction <> 'in' OR endNode(own) = entity)
    AND
    // include search/holds(entity = own)
} OR coalesce(entity.graphmem_purge = rule.mark, false))
