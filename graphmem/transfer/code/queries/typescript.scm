; What TypeScript adds.

(abstract_class_declaration
  name: (_) @name body: (_) @body) @class
(export_statement
  declaration: (abstract_class_declaration
    name: (_) @name body: (_) @body)) @class
(class_body
  (public_field_definition
    name: (_) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]) @function)
(interface_declaration
  name: (_) @name body: (_) @body) @interface
(export_statement
  declaration: (interface_declaration
    name: (_) @name body: (_) @body)) @interface
(interface_body
  (method_signature
    name: (_) @name return_type: (_)? @returns) @function @head)
(class_body
  (abstract_method_signature
    name: (_) @name return_type: (_)? @returns) @function @head)
; The ways in which a function can be called stand before it.
(class_body (method_signature name: (_) @name) @overload)
(function_signature name: (identifier) @name) @overload
(type_alias_declaration
  name: (_) @name) @type
(export_statement
  declaration: (type_alias_declaration
    name: (_) @name)) @type
(enum_declaration
  name: (_) @name body: (_) @body) @enum
(export_statement
  declaration: (enum_declaration
    name: (_) @name body: (_) @body)) @enum
(internal_module
  name: (_) @name body: (_) @body) @namespace
(module
  name: (identifier) @name body: (_) @body) @namespace

(class_declaration
  name: (_) @heir
  (class_heritage
    (extends_clause value: (_) @base)))
(class_declaration
  name: (_) @heir
  (class_heritage
    (implements_clause (_) @base)))
(abstract_class_declaration
  name: (_) @heir
  (class_heritage
    (extends_clause value: (_) @base)))
(abstract_class_declaration
  name: (_) @heir
  (class_heritage
    (implements_clause (_) @base)))
(interface_declaration
  name: (_) @heir
  (extends_type_clause type: (_) @base))

(function_declaration
  name: (identifier) @name return_type: (_) @returns body: (_) @body) @function
(class_body
  (method_definition
    name: (_) @name return_type: (_) @returns body: (_) @body) @function)
(required_parameter
  pattern: (identifier) @variable type: (type_annotation) @typed)
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @field type: (type_annotation) @typed)
(optional_parameter
  pattern: (identifier) @variable type: (type_annotation) @typed)
(required_parameter
  pattern: (object_pattern) @destructured type: (type_annotation) @typed)
(optional_parameter
  pattern: (object_pattern) @destructured type: (type_annotation) @typed)
(variable_declarator
  name: (identifier) @variable type: (type_annotation) @typed)
(public_field_definition
  name: (property_identifier) @variable type: (type_annotation) @typed)
(interface_body
  (property_signature
    name: (property_identifier) @variable type: (type_annotation) @typed))
(type_alias_declaration
  value: (object_type
    (property_signature
      name: (property_identifier) @variable type: (type_annotation) @typed)))
(public_field_definition
  name: (property_identifier) @variable
  value: (new_expression
    constructor: (_) @made))
(call_expression
  function: (member_expression object: (_) @each property: (property_identifier) @method)
  arguments: (arguments
    . (arrow_function
      parameters: (formal_parameters . (required_parameter pattern: (identifier) @variable !type))))
  (#any-of? @method
    "every" "filter" "find" "findIndex" "findLast" "flatMap" "forEach" "map" "some"))
(call_expression
  function: (member_expression object: (_) @each property: (property_identifier) @method)
  arguments: (arguments . (arrow_function parameter: (identifier) @variable))
  (#any-of? @method
    "every" "filter" "find" "findIndex" "findLast" "flatMap" "forEach" "map" "some"))
; What a function is called with that is an argument, the called one says.
(call_expression
  arguments: (arguments
    (arrow_function parameters: (formal_parameters) @parameters) @lambda)) @call
(call_expression
  arguments: (arguments (arrow_function parameter: (identifier) @parameters) @lambda)) @call
(call_expression
  arguments: (arguments
    (function_expression parameters: (formal_parameters) @parameters) @lambda)) @call
(new_expression
  arguments: (arguments
    (arrow_function parameters: (formal_parameters) @parameters) @lambda)) @call
