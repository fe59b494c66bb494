; What C++ adds to C.

; A specialization, such as `struct Hash<Key>`, is a type of its own, called with its arguments.
(class_specifier
  name: [(type_identifier) (template_type)] @name body: (_) @body) @class
(struct_specifier
  name: (template_type) @name body: (_) @body) @struct
(union_specifier
  name: (template_type) @name body: (_) @body) @struct
(template_declaration
  (class_specifier
    name: [(type_identifier) (template_type)] @name body: (_) @body)) @class
(template_declaration
  [
    (struct_specifier name: [(type_identifier) (template_type)] @name body: (_) @body)
    (union_specifier name: [(type_identifier) (template_type)] @name body: (_) @body)
  ]) @struct
(class_specifier
  name: (qualified_identifier) @path body: (_) @body) @class
(struct_specifier
  name: (qualified_identifier) @path body: (_) @body) @struct
(template_declaration
  (class_specifier
    name: (qualified_identifier) @path body: (_) @body)) @class
(template_declaration
  (struct_specifier
    name: (qualified_identifier) @path body: (_) @body)) @struct
(alias_declaration
  name: (type_identifier) @name) @type
(namespace_definition
  name: (_) @name body: (_) @body) @namespace
(function_definition
  type: (_)? @returns
  declarator: [
    (function_declarator
      declarator: [
        (field_identifier) (destructor_name) (operator_name) (template_function)
      ] @name)
    (pointer_declarator
      declarator: (function_declarator
        declarator: [(field_identifier) (operator_name) (template_function)] @name))
    (reference_declarator
      (function_declarator
        declarator: [
          (field_identifier) (identifier) (operator_name) (template_function)
        ] @name))
  ]
  body: (compound_statement) @body) @function
(function_definition
  type: (_)? @returns
  declarator: [
    (function_declarator declarator: (qualified_identifier) @path)
    (pointer_declarator
      declarator: (function_declarator declarator: (qualified_identifier) @path))
    (reference_declarator
      (function_declarator declarator: (qualified_identifier) @path))
  ]
  body: (compound_statement) @body) @function
(template_declaration
  (function_definition
    type: (_)? @returns
    declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (template_function)] @name)
    body: (compound_statement) @body)) @function
; What a class leaves to others: `virtual int size() const = 0;`.
(field_declaration
  type: (_)? @returns
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator
      (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]
  default_value: (number_literal)) @function @head

(call_expression
  function: (qualified_identifier) @qualified) @call
(call_expression
  function: (template_function name: (identifier) @callee)) @call
(new_expression
  type: (type_identifier) @callee)
(new_expression
  type: (qualified_identifier) @qualified)
(class_specifier
  name: [
    (type_identifier) @heir
    (template_type) @heir
    (qualified_identifier name: [(type_identifier) (template_type)] @heir)
  ]
  (base_class_clause
    [(type_identifier) (qualified_identifier) (template_type)] @base))
(struct_specifier
  name: [
    (type_identifier) @heir
    (template_type) @heir
    (qualified_identifier name: [(type_identifier) (template_type)] @heir)
  ]
  (base_class_clause
    [(type_identifier) (qualified_identifier) (template_type)] @base))
(declaration
  declarator: (init_declarator
    declarator: (identifier) @variable
    value: (call_expression
      function: [(identifier) (qualified_identifier) (field_expression)] @made)))
(declaration
  declarator: (init_declarator
    declarator: [
      (identifier) @variable
      (pointer_declarator declarator: (identifier) @variable)
    ]
    value: (new_expression type: (_) @made)))
(parameter_declaration
  type: (_) @typed
  declarator: (reference_declarator (identifier) @variable))
(declaration
  type: (_) @typed
  declarator: (init_declarator
    declarator: (reference_declarator (identifier) @variable)))
(field_declaration
  type: (_) @typed
  declarator: (reference_declarator (field_identifier) @variable))
(for_range_loop
  type: (_) @typed
  declarator: [
    (identifier) @variable
    (reference_declarator (identifier) @variable)
    (pointer_declarator declarator: (identifier) @variable)
  ])
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: [
    (identifier) @variable
    (reference_declarator (identifier) @variable)
    (pointer_declarator declarator: (identifier) @variable)
  ]
  right: (_) @each)
