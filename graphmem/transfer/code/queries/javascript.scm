; What JavaScript alone has.

(class_body
  (field_definition
    property: (_) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]) @function)
(class_declaration
  name: (_) @heir
  (class_heritage
    [(identifier) (member_expression)] @base))
