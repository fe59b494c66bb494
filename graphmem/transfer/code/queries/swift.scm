; Swift. What the captures mean stands in ../parsing.py.

(class_declaration
  declaration_kind: ["class" "actor"] name: (type_identifier) @name body: (_) @body) @class
(class_declaration
  declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @struct
(class_declaration
  declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(protocol_declaration
  name: (type_identifier) @name body: (_) @body) @interface
(class_declaration
  declaration_kind: "extension" name: (user_type) @name body: (_) @body) @extension
(typealias_declaration
  name: (type_identifier) @name) @type
; What is written shorter takes long to compile, since this grammar calls types names as well.
(function_declaration
  "func" . _ @name "->" . (_) @returns
  (#not-match? @returns "^\\(")) @function
(function_declaration
  "func" . name: _ @name body: (_) @body) @function
(protocol_function_declaration
  "func" . _ @name "->" . (_) @returns
  (#not-match? @returns "^\\(")) @function @head
(protocol_function_declaration
  "func" . _ @name) @function @head
(init_declaration
  name: "init" @name body: (_) @body) @function
(init_declaration
  name: "init" @name) @function @head
(deinit_declaration
  "deinit" @name body: (_) @body) @function
(subscript_declaration
  "subscript" @name (computed_property) @body) @function
; A property that only keeps a value is the text of its type.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation [
    (user_type) @returns
    (optional_type wrapped: (user_type) @returns)
    (opaque_type (user_type) @returns)
    (existential_type (user_type) @returns)
  ])
  computed_value: (_) @body) @function
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @function
(source_file
  (property_declaration
    (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (simple_identifier) @name)
    "=") @constant)
(comment) @comment
(multiline_comment) @comment
; What is seen in its own file only.
(class_declaration
  (modifiers (visibility_modifier) @storage)
  name: (type_identifier) @name body: (_) @body
  (#match? @storage "^(file)?private$")) @class
(protocol_declaration
  (modifiers (visibility_modifier) @storage)
  name: (type_identifier) @name body: (_) @body
  (#match? @storage "^(file)?private$")) @interface
(typealias_declaration
  (modifiers (visibility_modifier) @storage)
  name: (type_identifier) @name
  (#match? @storage "^(file)?private$")) @type
(function_declaration
  (modifiers (visibility_modifier) @storage)
  "func" . _ @name
  (#match? @storage "^(file)?private$")) @function
(property_declaration
  (modifiers (visibility_modifier) @storage)
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body
  (#match? @storage "^(file)?private$")) @function
(source_file
  (property_declaration
    (modifiers (visibility_modifier) @storage)
    (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (simple_identifier) @name)
    (#match? @storage "^(file)?private$")) @constant)
((function_declaration
  (modifiers (property_modifier) @modifier)) @static
  (#any-of? @modifier "static" "class"))
((property_declaration
  (modifiers (property_modifier) @modifier)) @static
  (#any-of? @modifier "static" "class"))
((protocol_function_declaration
  (modifiers (property_modifier) @modifier)) @static
  (#eq? @modifier "static"))

; In a function these names mean no other function.
(parameter
  name: (simple_identifier) @shadows)
(pattern
  bound_identifier: (simple_identifier) @shadows)
(function_declaration
  "func" . (simple_identifier) @shadows)
(class_declaration
  name: (type_identifier) @shadows)

; `rows[3]` is a call in this grammar, but no call of `rows`.
(call_expression
  . (simple_identifier) @callee
  (call_suffix . [(value_arguments . "(") (lambda_literal)])) @call
(call_expression
  . (navigation_expression
    target: [
      (simple_identifier) @receiver
      (self_expression) @receiver
      (super_expression) @receiver
      (navigation_expression) @receiver
      (call_expression) @receiver
      (postfix_expression target: (_) @receiver)
      (tuple_expression value: (as_expression (user_type) @receiver))
    ]
    suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  (call_suffix . [(value_arguments . "(") (lambda_literal)])
  (#not-match? @receiver "\\[")) @call
(constructor_expression
  constructed_type: (user_type . (type_identifier) @callee . (type_arguments))) @call
(constructor_expression
  constructed_type: (user_type
    . (type_identifier) @receiver . (type_identifier) @callee . (type_arguments))) @call
(class_declaration
  declaration_kind: ["class" "actor" "struct" "enum"] name: (type_identifier) @heir
  (inheritance_specifier inherits_from: (user_type) @base))
(protocol_declaration
  name: (type_identifier) @heir
  (inheritance_specifier inherits_from: (user_type) @base))
(class_declaration
  declaration_kind: "extension" name: (user_type) @extended
  (inheritance_specifier inherits_from: (user_type) @base))

; An `import` names a module; what is taken of it, these do.
(import_declaration
  "import" @wildcard (identifier) @module) @import
; What imports the module of the file has that as well.
(import_declaration
  (modifiers (attribute (user_type (type_identifier) @exported)))
  "import" @wildcard (identifier) @module
  (#eq? @exported "_exported")) @import
(user_type
  . (type_identifier) @mentioned)
(navigation_expression
  target: (simple_identifier) @mentioned
  (#match? @mentioned "^[A-Z]"))

(parameter
  name: (simple_identifier) @variable
  [
    (user_type) @typed
    (optional_type wrapped: (user_type) @typed)
    (opaque_type (user_type) @typed)
    (existential_type (user_type) @typed)
    (optional_type (tuple_type (tuple_type_item (existential_type (user_type) @typed))))
  ])
(lambda_parameter
  name: (simple_identifier) @variable
  [
    (user_type) @typed
    (optional_type wrapped: (user_type) @typed)
    (existential_type (user_type) @typed)
  ])
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @variable)
  . (type_annotation [
    (user_type) @typed
    (optional_type wrapped: (user_type) @typed)
    (opaque_type (user_type) @typed)
    (existential_type (user_type) @typed)
    (optional_type (tuple_type (tuple_type_item (existential_type (user_type) @typed))))
  ])
  !computed_value)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @variable)
  (type_annotation [
    (user_type) @typed
    (optional_type wrapped: (user_type) @typed)
    (opaque_type (user_type) @typed)
    (existential_type (user_type) @typed)
    (optional_type (tuple_type (tuple_type_item (existential_type (user_type) @typed))))
  ]))
(for_statement
  item: (pattern bound_identifier: (simple_identifier) @variable)
  (type_annotation (user_type) @typed))
(pattern
  (pattern bound_identifier: (simple_identifier) @variable) "as" name: (user_type) @typed)
(_
  bound_identifier: (simple_identifier) @variable
  . condition: (type_annotation (user_type) @typed))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @variable) . "=" . value: [
    (call_expression
      . [(simple_identifier) (navigation_expression)] @made
      (call_suffix . [(value_arguments . "(") (lambda_literal)]))
    (navigation_expression) @made
    (constructor_expression constructed_type: (_) @typed)
    (as_expression (user_type) @typed)
    (try_expression expr: [
      (call_expression
        . [(simple_identifier) (navigation_expression)] @made
        (call_suffix . [(value_arguments . "(") (lambda_literal)]))
      (navigation_expression) @made
      (await_expression expr: [
        (call_expression
          . [(simple_identifier) (navigation_expression)] @made
          (call_suffix . [(value_arguments . "(") (lambda_literal)]))
        (navigation_expression) @made
      ])
    ])
    (await_expression expr: [
      (call_expression
        . [(simple_identifier) (navigation_expression)] @made
        (call_suffix . [(value_arguments . "(") (lambda_literal)]))
      (navigation_expression) @made
    ])
  ])
(_
  bound_identifier: (simple_identifier) @variable . condition: "=" . condition: [
    (call_expression
      . [(simple_identifier) (navigation_expression)] @made
      (call_suffix . [(value_arguments . "(") (lambda_literal)]))
    (navigation_expression) @made
    (constructor_expression constructed_type: (_) @typed)
    (as_expression (user_type) @typed)
    (try_expression expr: [
      (call_expression
        . [(simple_identifier) (navigation_expression)] @made
        (call_suffix . [(value_arguments . "(") (lambda_literal)]))
      (navigation_expression) @made
      (await_expression expr: [
        (call_expression
          . [(simple_identifier) (navigation_expression)] @made
          (call_suffix . [(value_arguments . "(") (lambda_literal)]))
        (navigation_expression) @made
      ])
    ])
    (await_expression expr: [
      (call_expression
        . [(simple_identifier) (navigation_expression)] @made
        (call_suffix . [(value_arguments . "(") (lambda_literal)]))
      (navigation_expression) @made
    ])
  ])
; What a function is called with that is an argument, the called one says.
(call_expression
  (call_suffix (lambda_literal
    type: (lambda_function_type (lambda_function_type_parameters) @parameters)) @lambda)) @call
(call_expression
  (call_suffix (lambda_literal . "{" @it) @lambda)) @call
(call_expression
  (call_suffix
    (value_arguments
      (value_argument
        (lambda_literal
          type: (lambda_function_type
            (lambda_function_type_parameters) @parameters)) @lambda)))) @call
(call_expression
  (call_suffix
    (value_arguments (value_argument (lambda_literal . "{" @it) @lambda)))) @call
