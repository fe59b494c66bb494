; PHP. What the captures mean stands in ../parsing.py. A name of a variable keeps its `$`, which
; tells a property from a method.

(class_declaration
  name: (name) @name body: (_) @body) @class
(class_declaration
  attributes: (_) . _ @signature name: (name) @name body: (_) @body) @class
(interface_declaration
  name: (name) @name body: (_) @body) @interface
(trait_declaration
  name: (name) @name body: (_) @body) @trait
(trait_declaration
  attributes: (_) . _ @signature name: (name) @name body: (_) @body) @trait
(enum_declaration
  name: (name) @name body: (_) @body) @enum
(enum_declaration
  attributes: (_) . _ @signature name: (name) @name body: (_) @body) @enum
(function_definition
  name: (name) @name return_type: (_)? @returns body: (_) @body) @function
(function_definition
  attributes: (_) . _ @signature name: (name) @name body: (_) @body) @function
(method_declaration
  name: (name) @name return_type: (_)? @returns body: (_) @body) @function
(method_declaration
  attributes: (_) . _ @signature name: (name) @name body: (_) @body) @function
(method_declaration
  name: (name) @name return_type: (_)? @returns !body) @function @head
(method_declaration
  attributes: (_) . _ @signature name: (name) @name !body) @function @head
((comment) @documented
  . (method_declaration name: (name) @name !body) @function @head)
((comment) @documented
  . [
    (method_declaration name: (name) @name body: (_) @body)
    (function_definition name: (name) @name body: (_) @body)
  ] @function)
(anonymous_class
  body: (_) @anonymous)
(anonymous_class
  body: (_ (method_declaration) @hidden))
(anonymous_class
  body: (_ (const_declaration (const_element) @hidden)))
(const_element
  . (name) @name) @constant
(function_call_expression
  function: (name) @function_name
  arguments: (arguments . (argument [
    (string (string_content) @name)
    (encapsed_string . (string_content) @name .)
  ]))
  (#match? @function_name "^\\\\?define$")
  (#match? @name "^[A-Za-z_]\\w*$")) @constant
(comment) @comment
(namespace_definition
  name: (namespace_name) @package)

(function_call_expression
  function: [(name) (qualified_name) (relative_name)] @qualified)
(_
  object: [
    (variable_name) (member_access_expression) (nullsafe_member_access_expression)
    (scoped_property_access_expression) (class_constant_access_expression)
    (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
    (function_call_expression) (object_creation_expression) (parenthesized_expression)
  ] @receiver
  name: (name) @callee
  arguments: (_))
(scoped_call_expression
  scope: [(name) (qualified_name) (relative_name) (relative_scope) (variable_name)] @receiver
  name: (name) @callee)
(object_creation_expression
  [(name) (qualified_name)] @qualified)
(class_declaration
  name: (name) @heir (base_clause (_) @base))
(class_declaration
  name: (name) @heir (class_interface_clause (_) @base))
(class_declaration
  name: (name) @heir body: (_ (use_declaration [(name) (qualified_name)] @base)))
(interface_declaration
  name: (name) @heir (base_clause (_) @base))
(trait_declaration
  name: (name) @heir body: (_ (use_declaration [(name) (qualified_name)] @base)))
(enum_declaration
  name: (name) @heir (class_interface_clause (_) @base))
(enum_declaration
  name: (name) @heir body: (_ (use_declaration [(name) (qualified_name)] @base)))

(namespace_use_declaration
  (namespace_use_clause . (name) @module alias: (name)? @alias)) @import
(namespace_use_declaration
  (namespace_use_clause
    . (qualified_name . (name) @module) alias: (name)? @alias)) @import
(namespace_use_declaration
  (namespace_use_clause
    . (qualified_name (namespace_name) @module (name) @imported) alias: (name)? @alias)) @import
(namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group
    (namespace_use_clause
      . [(name) (qualified_name)] @imported alias: (name)? @alias))) @import

(simple_parameter
  type: (_) @typed name: (variable_name) @variable)
(property_promotion_parameter
  type: (_) @typed name: (variable_name) @variable)
(property_promotion_parameter
  type: (_) @typed name: (variable_name) @field)
(property_declaration
  type: (_) @typed (property_element name: (variable_name) @variable))
(enum_declaration
  name: (name) @typed body: (_ (enum_case name: (name) @variable)))
(catch_clause
  type: (_) @typed name: (variable_name) @variable)
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (object_creation_expression [(name) (qualified_name)] @made))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (clone_expression (variable_name) @copied))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (variable_name) @copied)
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (function_call_expression
    function: [(name) (qualified_name)] @made))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (scoped_call_expression
    scope: [(name) (qualified_name) (relative_scope)] @receiver name: (name) @made))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable
  right: (member_call_expression
    object: [
      (variable_name) (member_access_expression) (member_call_expression)
      (scoped_call_expression) (function_call_expression) (object_creation_expression)
      (parenthesized_expression)
    ] @receiver
    name: (name) @made))
((comment) @documented
  . [
    (method_declaration
      parameters: (_ (simple_parameter !type name: (variable_name) @variable)))
    (function_definition
      parameters: (_ (simple_parameter !type name: (variable_name) @variable)))
    (property_declaration
      !type (property_element name: (variable_name) @variable))
    (property_declaration
      type: (_) @typed (property_element name: (variable_name) @variable))
    (method_declaration
      parameters: (_ (simple_parameter
        type: (_) @typed name: (variable_name) @variable)))
    (function_definition
      parameters: (_ (simple_parameter
        type: (_) @typed name: (variable_name) @variable)))
    (expression_statement
      (assignment_expression left: (variable_name) @variable))
  ])
(foreach_statement
  . [
    (variable_name) (member_access_expression) (scoped_property_access_expression)
    (member_call_expression) (scoped_call_expression) (function_call_expression)
  ] @each
  . [
    (variable_name) @variable
    (by_ref (variable_name) @variable)
    (pair (_) . [(variable_name) @variable (by_ref (variable_name) @variable)])
  ])
