; Java. What the captures mean stands in ../parsing.py.

(class_declaration
  name: (identifier) @name body: (_) @body) @class
(record_declaration
  name: (identifier) @name body: (_) @body) @class
(interface_declaration
  name: (identifier) @name body: (_) @body) @interface
(annotation_type_declaration
  name: (identifier) @name body: (_) @body) @interface
(enum_declaration
  name: (identifier) @name body: (_) @body) @enum
(method_declaration
  type: (_) @returns name: (identifier) @name body: (_) @body) @function
(method_declaration
  type: (_) @returns name: (identifier) @name !body) @function @head
(constructor_declaration
  name: (identifier) @name body: (_) @body) @function
(compact_constructor_declaration
  name: (identifier) @name body: (_) @body) @function
(field_declaration
  (modifiers "static" "final")
  declarator: (variable_declarator
    name: (identifier) @name value: (_))
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @constant
(constant_declaration
  declarator: (variable_declarator
    name: (identifier) @name value: (_))
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @constant
; What stands in an object without a class of its own is called by the object's name.
(enum_constant
  name: (identifier) @name body: (_) @body) @extension
(field_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (object_creation_expression (class_body) @body))) @extension
(argument_list
  (object_creation_expression
    (class_body (method_declaration) @hidden)))
(line_comment) @comment
(block_comment) @comment
(package_declaration
  (_) @package)

(method_invocation
  !object name: (identifier) @callee) @call
(method_invocation
  object: (_) @receiver name: (identifier) @callee) @call
(object_creation_expression
  type: [
    (type_identifier) @callee
    (generic_type . (type_identifier) @callee)
    (scoped_type_identifier (_) @receiver (type_identifier) @callee .)
  ])
(class_declaration
  name: (identifier) @heir
  superclass: (superclass (_) @base))
(class_declaration
  name: (identifier) @heir
  interfaces: (super_interfaces (type_list (_) @base)))
(record_declaration
  name: (identifier) @heir
  interfaces: (super_interfaces (type_list (_) @base)))
(enum_declaration
  name: (identifier) @heir
  interfaces: (super_interfaces (type_list (_) @base)))
(interface_declaration
  name: (identifier) @heir
  (extends_interfaces (type_list (_) @base)))

(import_declaration
  (scoped_identifier) @module (asterisk)? @wildcard) @import

(formal_parameter
  type: (_) @typed name: (identifier) @variable)
(local_variable_declaration
  type: (_) @typed declarator: (variable_declarator name: (identifier) @variable))
(field_declaration
  type: (_) @typed declarator: (variable_declarator name: (identifier) @variable))
(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @variable
    value: (object_creation_expression type: (_) @made)))
(local_variable_declaration
  type: (type_identifier) @inferred
  declarator: (variable_declarator
    name: (identifier) @variable
    value: (method_invocation) @made)
  (#eq? @inferred "var"))
(resource
  type: (_) @typed name: (identifier) @variable)
(enhanced_for_statement
  type: (_) @typed name: (identifier) @variable)
(enhanced_for_statement
  type: (type_identifier) @inferred name: (identifier) @variable value: (_) @each
  (#eq? @inferred "var"))
(method_invocation
  object: (_) @each name: (identifier) @method
  arguments: (argument_list . (lambda_expression parameters: (identifier) @variable) .)
  (#any-of? @method "allMatch" "anyMatch" "filter" "flatMap" "forEach" "map" "noneMatch"))
; What a function is called with that is an argument, the called one says.
(method_invocation
  arguments: (argument_list (lambda_expression parameters: (_) @parameters) @lambda)) @call
(object_creation_expression
  arguments: (argument_list (lambda_expression parameters: (_) @parameters) @lambda)) @call
