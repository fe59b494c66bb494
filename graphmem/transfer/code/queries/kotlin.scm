; Kotlin. What the captures mean stands in ../parsing.py.

(class_declaration
  "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration
  (modifiers (class_modifier "enum")) name: (identifier) @name
  [(class_body) (enum_class_body)]? @body) @enum
(class_declaration
  name: (identifier) @name (class_body)? @body) @class
(object_declaration
  name: (identifier) @name (class_body)? @body) @class
; The grammar does not understand `annotation class` below several annotations.
(annotated_expression
  (infix_expression
    . (identifier) @annotation . (identifier) @kind . (identifier) @name .)
  (#eq? @annotation "annotation") (#eq? @kind "class")) @class
(annotated_expression
  (annotated_expression
    (infix_expression
      . (identifier) @annotation . (identifier) @kind . (identifier) @name .))
  (#eq? @annotation "annotation") (#eq? @kind "class")) @class
(annotated_expression
  (annotated_expression
    (annotated_expression
      (infix_expression
        . (identifier) @annotation . (identifier) @kind . (identifier) @name .)))
  (#eq? @annotation "annotation") (#eq? @kind "class")) @class
(type_alias
  type: (identifier) @name) @type
; A function that is added to a type is one of its methods.
(function_declaration
  [(user_type) (nullable_type)] @owner . name: (identifier) @name
  (function_body) @body) @function
(function_declaration
  name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type)] @returns
  (function_body) @body) @function
(function_declaration
  name: (identifier) @name (function_body) @body) @function
(function_declaration
  name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type)] @returns .) @function @head
(function_declaration
  name: (identifier) @name (function_value_parameters) .) @function @head
; A property that only keeps a value is the text of its type.
(property_declaration
  (variable_declaration . (identifier) @name)
  (getter (function_body)) @body) @function
; What stands in an object without a class of its own is called by the object's name.
(property_declaration
  (variable_declaration . (identifier) @name)
  (object_literal (class_body) @body)) @extension
(value_argument
  (object_literal
    (class_body (function_declaration) @hidden)))
(property_declaration
  (modifiers (property_modifier "const"))
  (variable_declaration . (identifier) @name)) @constant
(line_comment) @comment
(block_comment) @comment
(package_header
  (_) @package)

(call_expression
  . (identifier) @callee) @call
(call_expression
  . (navigation_expression . (_) @receiver (identifier) @callee .)) @call
(class_declaration
  name: (identifier) @heir
  (delegation_specifiers
    (delegation_specifier [
      (user_type) @base
      (constructor_invocation (user_type) @base)
      (explicit_delegation . (user_type) @base)
    ])))
(object_declaration
  name: (identifier) @heir
  (delegation_specifiers
    (delegation_specifier [
      (user_type) @base
      (constructor_invocation (user_type) @base)
      (explicit_delegation . (user_type) @base)
    ])))

(import
  (qualified_identifier) @module "*"? @wildcard (identifier)? @alias) @import

(parameter
  (identifier) @variable [(user_type) (nullable_type)] @typed)
(class_parameter
  (identifier) @variable [(user_type) (nullable_type)] @typed)
(property_declaration
  (variable_declaration (identifier) @variable [(user_type) (nullable_type)] @typed))
(property_declaration
  (variable_declaration (identifier) @field [(user_type) (nullable_type)] @typed)
  (getter))
(for_statement
  (variable_declaration (identifier) @variable [(user_type) (nullable_type)] @typed))
(property_declaration
  (variable_declaration . (identifier) @variable .)
  (call_expression . (_) @made))
(for_statement
  (variable_declaration . (identifier) @variable .) . "in" . (_) @each)
(call_expression
  (navigation_expression . (_) @each (identifier) @method .)
  (annotated_lambda
    (lambda_literal (lambda_parameters . (variable_declaration . (identifier) @variable .) .)))
  (#any-of? @method
    "all" "any" "associateBy" "filter" "find" "first" "firstOrNull" "flatMap" "forEach" "map" "none"))
