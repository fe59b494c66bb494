; A component in JSX is a call of it.

(jsx_self_closing_element
  name: (identifier) @callee)
(jsx_opening_element
  name: (identifier) @callee)
(jsx_attribute
  (jsx_expression [
    (identifier) @argument
    (member_expression
      object: (this) @receiver property: (property_identifier) @argument)
  ]))

; One that a call makes of a function, such as `memo(() => …)`, is named with a capital.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    arguments: (arguments
      . [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (call_expression
          arguments: (arguments
            . [
              (arrow_function body: (_) @body)
              (function_expression body: (_) @body)
            ]))
      ]))
  (#match? @name "^[A-Z][a-zA-Z0-9]*[a-z]")) @function
