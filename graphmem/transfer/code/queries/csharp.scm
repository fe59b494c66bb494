; C#. What the captures mean stands in ../parsing.py.

(class_declaration
  name: (identifier) @name body: (_)? @body) @class
(record_declaration
  name: (identifier) @name body: (_)? @body) @class
(struct_declaration
  name: (identifier) @name body: (_)? @body) @struct
(interface_declaration
  name: (identifier) @name body: (_)? @body) @interface
(enum_declaration
  name: (identifier) @name body: (_) @body) @enum
(delegate_declaration
  name: (identifier) @name) @type
; What a method promises is what it gives, once it is awaited.
(method_declaration
  returns: (generic_name
    (identifier) @promise
    (type_argument_list . (_) @returns .))
  name: (identifier) @name body: (_) @body
  (#match? @promise "^(Value)?Task$")) @function
(method_declaration
  returns: (_) @returns name: (identifier) @name body: (_) @body) @function
(method_declaration
  returns: (generic_name
    (identifier) @promise
    (type_argument_list . (_) @returns .))
  name: (identifier) @name !body
  (#match? @promise "^(Value)?Task$")) @function @head
(method_declaration
  returns: (_) @returns name: (identifier) @name !body) @function @head
; An extension method is called as if it were one of the type of its first parameter.
(method_declaration
  name: (identifier) @name
  parameters: (parameter_list . (parameter (modifier) @this type: (_) @extends))
  body: (_) @body
  (#eq? @this "this")) @function
(constructor_declaration
  name: (identifier) @name body: (_) @body) @function
; A property that only keeps a value is the text of its type.
(property_declaration
  type: (_) @returns name: (identifier) @name
  value: (arrow_expression_clause) @body) @function
(property_declaration
  type: (_) @returns name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @function
; The attributes are no part of a signature.
(method_declaration
  (attribute_list) . (modifier) @signature
  name: (identifier) @name body: (_) @body) @function
(method_declaration
  (attribute_list) . (modifier) @signature
  name: (identifier) @name !body) @function @head
(constructor_declaration
  (attribute_list) . (modifier) @signature
  name: (identifier) @name body: (_) @body) @function
(class_declaration
  (attribute_list) . (modifier) @signature
  name: (identifier) @name body: (_)? @body) @class
(field_declaration
  (modifier "const")
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @constant
(comment) @comment
(file_scoped_namespace_declaration
  name: (_) @package)
(compilation_unit
  (namespace_declaration
    name: (_) @package))

(invocation_expression
  function: [
    (identifier) @callee
    (generic_name . (identifier) @callee)
  ]) @call
(invocation_expression
  function: [
    (member_access_expression
      expression: _ @receiver
      name: [(identifier) @callee (generic_name . (identifier) @callee)])
    (conditional_access_expression
      condition: _ @receiver
      (member_binding_expression
        name: [(identifier) @callee (generic_name . (identifier) @callee)]))
  ]) @call
(object_creation_expression
  type: [
    (identifier) @callee
    (generic_name . (identifier) @callee)
    (qualified_name
      qualifier: (_) @receiver
      name: [(identifier) @callee (generic_name . (identifier) @callee)])
  ])
(variable_declaration
  type: [(identifier) @callee (generic_name . (identifier) @callee)]
  (variable_declarator (implicit_object_creation_expression)))
(property_declaration
  type: [(identifier) @callee (generic_name . (identifier) @callee)]
  value: (implicit_object_creation_expression))
; Of a cast or of what is not null, the type and the object.
(invocation_expression
  function: (member_access_expression
    expression: [
      (postfix_unary_expression . (_) @receiver)
      (parenthesized_expression (cast_expression type: (_) @receiver))
      (parenthesized_expression (as_expression right: (_) @receiver))
    ]
    name: [(identifier) @callee (generic_name . (identifier) @callee)])) @call

; A `using` names a namespace; what is taken of it, these do.
(parameter
  type: [(identifier) @mentioned (nullable_type (identifier) @mentioned)])
(variable_declaration
  type: [(identifier) @mentioned (nullable_type (identifier) @mentioned)])
(property_declaration
  type: [(identifier) @mentioned (nullable_type (identifier) @mentioned)])
(method_declaration
  returns: [(identifier) @mentioned (nullable_type (identifier) @mentioned)])
(type_argument_list
  (identifier) @mentioned)
(generic_name
  . (identifier) @mentioned)
(typeof_expression
  type: (identifier) @mentioned)
(declaration_pattern
  type: (identifier) @mentioned)
(attribute
  name: (identifier) @mentioned)
(member_access_expression
  expression: (identifier) @mentioned)
(class_declaration
  name: (identifier) @heir
  (base_list [(identifier) (generic_name) (qualified_name)] @base))
(record_declaration
  name: (identifier) @heir
  (base_list [(identifier) (generic_name) (qualified_name)] @base))
(record_declaration
  name: (identifier) @heir
  (base_list (primary_constructor_base_type type: (_) @base)))
(struct_declaration
  name: (identifier) @heir
  (base_list [(identifier) (generic_name) (qualified_name)] @base))
(interface_declaration
  name: (identifier) @heir
  (base_list [(identifier) (generic_name) (qualified_name)] @base))

(using_directive
  !name [(identifier) (qualified_name)] @module @wildcard) @import
(using_directive
  name: (identifier) @alias [(identifier) (qualified_name)] @module .) @import

(parameter
  type: (_) @typed name: (identifier) @variable)
(variable_declaration
  type: (_) @typed (variable_declarator name: (identifier) @variable))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @variable
    [
      (object_creation_expression type: (_) @made)
      (invocation_expression function: (_) @made)
      (member_access_expression) @made
      (await_expression (invocation_expression function: (_) @made))
      (cast_expression type: (_) @typed)
      (as_expression right: (_) @typed)
    ]))
(property_declaration
  type: (_) @typed name: (identifier) @field
  value: (arrow_expression_clause))
(property_declaration
  type: (_) @typed name: (identifier) @field
  accessors: (accessor_list (accessor_declaration body: (_))))
(property_declaration
  type: (_) @typed name: (identifier) @variable
  accessors: (accessor_list (accessor_declaration !body)))
(declaration_expression
  type: (_) @typed name: (identifier) @variable)
(recursive_pattern
  type: (_) @typed name: (identifier) @variable)
(foreach_statement
  type: (_) @typed left: (identifier) @variable)
(declaration_pattern
  type: (_) @typed name: (identifier) @variable)
(foreach_statement
  type: (implicit_type) left: (identifier) @variable right: (_) @each)
(invocation_expression
  function: (member_access_expression expression: (_) @each name: (identifier) @method)
  arguments: (argument_list
    . (argument (lambda_expression parameters: (implicit_parameter) @variable)) .)
  (#any-of? @method
    "All" "Any" "Count" "First" "FirstOrDefault" "GroupBy" "OrderBy" "Select" "SelectMany" "Single"
    "SingleOrDefault" "Sum" "Where"))
; What a function is called with that is an argument, the called one says.
(invocation_expression
  arguments: (argument_list
    (argument (lambda_expression parameters: (_) @parameters) @lambda))) @call
(object_creation_expression
  arguments: (argument_list
    (argument (lambda_expression parameters: (_) @parameters) @lambda))) @call
