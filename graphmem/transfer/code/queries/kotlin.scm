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
  [(user_type) @owner @extends (nullable_type (user_type) @owner @extends)]
  . name: (identifier) @name
  (function_body) @body) @function
(function_declaration
  name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type)] @returns
  (function_body) @body) @function
(function_declaration
  name: (identifier) @name (function_body) @body) @function
; Without a type a function gives what the call behind `=` does, `apply { … }` the object itself.
(function_declaration
  name: (identifier) @name
  (function_body
    . "=" . (call_expression) @given .) @body) @function
(function_declaration
  name: (identifier) @name
  (function_body
    . "=" . (call_expression . (identifier) @returns (annotated_lambda)) .) @body
  (#any-of? @returns "also" "apply")) @function
(function_declaration
  name: (identifier) @name
  (function_body . "=" . (this_expression) @returns .) @body) @function
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
(lambda_parameters
  (variable_declaration (identifier) @variable [(user_type) (nullable_type)] @typed))
(catch_block
  (identifier) @variable (user_type) @typed)
(property_declaration
  (variable_declaration . (identifier) @variable .) . "=" . [
    (call_expression . (_) @made (type_arguments)? @type_arguments)
    (navigation_expression) @made
    (unary_expression argument: [(call_expression . (_) @made) (navigation_expression) @made])
    (binary_expression
      left: [(call_expression . (_) @made) (navigation_expression) @made] operator: "?:")
    (as_expression right: (_) @typed)
  ])
(property_declaration
  (variable_declaration . (identifier) @variable .)
  (property_delegate
    (call_expression
      . (identifier) @method (annotated_lambda (lambda_literal . (call_expression . (_) @made) .))))
  (#eq? @method "lazy"))
; What a function is passed on to a block, which calls it `it` unless it says another name.
(call_expression
  (navigation_expression . (_) @made (identifier) @method .)
  (annotated_lambda
    (lambda_literal (lambda_parameters . (variable_declaration . (identifier) @variable .) .)))
  (#any-of? @method "also" "let" "takeIf" "takeUnless" "use"))
(call_expression
  (navigation_expression . (_) @made (identifier) @method .)
  (annotated_lambda (lambda_literal . "{" @it))
  (#any-of? @method "also" "let" "takeIf" "takeUnless" "use"))
(call_expression
  (navigation_expression . (_) @each (identifier) @method .)
  (annotated_lambda (lambda_literal . "{" @it))
  (#any-of? @method
    "all" "any" "associateBy" "filter" "find" "first" "firstOrNull" "flatMap" "forEach" "map" "none"))
(for_statement
  (variable_declaration . (identifier) @variable .) . "in" . (_) @each)
(call_expression
  (navigation_expression . (_) @each (identifier) @method .)
  (annotated_lambda
    (lambda_literal (lambda_parameters . (variable_declaration . (identifier) @variable .) .)))
  (#any-of? @method
    "all" "any" "associateBy" "filter" "find" "first" "firstOrNull" "flatMap" "forEach" "map" "none"))
; What a function is called with that is an argument, the called one says.
(call_expression
  (annotated_lambda (lambda_literal (lambda_parameters) @parameters) @lambda)) @call
(call_expression
  (annotated_lambda (lambda_literal . "{" @it) @lambda)) @call
(call_expression
  (value_arguments
    (value_argument (lambda_literal (lambda_parameters) @parameters) @lambda))) @call
(call_expression
  (value_arguments (value_argument (lambda_literal . "{" @it) @lambda))) @call
