; Go. What the captures mean stands in ../parsing.py.

(function_declaration
  name: (identifier) @name result: (_)? @returns body: (block) @body) @function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (pointer_type (type_identifier) @owner)
        (generic_type type: (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))
      ]))
  name: (field_identifier) @name result: (_)? @returns body: (block) @body) @function
(type_declaration
  .
  (type_spec
    name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))
  .) @struct
(type_spec
  name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_declaration
  .
  (type_spec
    name: (type_identifier) @name type: (interface_type))
  .) @interface
(type_spec
  name: (type_identifier) @name type: (interface_type)) @interface
(type_spec
  type: (interface_type
    (method_elem
      name: (field_identifier) @name result: (_)? @returns) @function @head))
(type_declaration
  .
  (type_spec name: (type_identifier) @name)
  .) @type
(type_spec
  name: (type_identifier) @name) @type
(type_alias
  name: (type_identifier) @name) @type
(source_file
  (var_declaration
    (var_spec
      name: (identifier) @name
      value: (expression_list
        . (func_literal body: (_) @body) .)) @function))
(source_file
  (const_declaration
    (const_spec
      name: (identifier) @name) @constant)
  (#not-eq? @name "_"))
(source_file
  (var_declaration
    (var_spec
      name: (identifier) @name) @constant)
  (#not-eq? @name "_"))
(source_file
  (var_declaration
    (var_spec_list
      (var_spec
        name: (identifier) @name) @constant))
  (#not-eq? @name "_"))
(comment) @comment
(package_clause
  (package_identifier) @package)

(call_expression
  function: (identifier) @callee)
(call_expression
  function: (selector_expression
    operand: (_) @receiver field: (field_identifier) @callee))
(type_spec
  name: (type_identifier) @heir
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name type: (_) @base))))
(type_spec
  name: (type_identifier) @heir
  type: (interface_type
    (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .)))
(type_alias
  name: (type_identifier) @heir
  type: [(type_identifier) (qualified_type) (generic_type)] @base)

(import_spec
  name: (_)? @alias path: (interpreted_string_literal) @module) @import
(selector_expression
  operand: (identifier) @receiver field: (field_identifier) @mentioned)
(qualified_type
  package: (package_identifier) @receiver name: (type_identifier) @mentioned)

(parameter_declaration
  name: (identifier) @variable type: (_) @typed)
(var_spec
  name: (identifier) @variable type: (_) @typed)
(field_declaration
  name: (field_identifier) @variable type: (_) @typed)
; An embedded field is called by its type's name, and what a name stands for has its members.
(field_declaration
  !name
  type: [
    (type_identifier) @variable
    (qualified_type name: (type_identifier) @variable)
    (generic_type type: (type_identifier) @variable)
  ] @typed)
(field_declaration
  !name
  type: (pointer_type [
    (type_identifier) @variable
    (qualified_type name: (type_identifier) @variable)
  ]) @typed)
(short_var_declaration
  left: (expression_list . (identifier) @variable)
  right: (expression_list
    . (call_expression
      function: [(identifier) (selector_expression)] @made)))
(short_var_declaration
  left: (expression_list . (_) . (identifier) @second)
  right: (expression_list
    . (call_expression
      function: [(identifier) (selector_expression)] @made) .))
(short_var_declaration
  left: (expression_list . (_) . (_) . (identifier) @third)
  right: (expression_list
    . (call_expression
      function: [(identifier) (selector_expression)] @made) .))
(var_spec
  name: (identifier) @variable
  value: (expression_list
    . (call_expression
      function: [(identifier) (selector_expression)] @made)))
(var_spec
  name: (identifier) @variable
  !type
  value: (expression_list
    . [
      (composite_literal type: (_) @typed)
      (unary_expression operand: (composite_literal type: (_) @typed))
    ]))
(range_clause
  left: (expression_list . (_) . (identifier) @variable)
  right: (_) @each)
(short_var_declaration
  left: (expression_list . (identifier) @variable)
  right: (expression_list
    . [
      (composite_literal type: (_) @typed)
      (unary_expression operand: (composite_literal type: (_) @typed))
    ]))
