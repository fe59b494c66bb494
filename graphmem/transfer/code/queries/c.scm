; C, and what C++ shares with it. What the captures mean stands in ../parsing.py.

; A macro defines a function, and says its name among its arguments: `TEST(Suite, Name) {`.
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list
      . (parameter_declaration !declarator type: (type_identifier))) @arguments)
  body: (compound_statement) @body
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @function
; `PHP_FUNCTION(name) {` looks like a variable of the type `PHP_FUNCTION`.
(function_definition
  type: (type_identifier) @macro_name
  declarator: (parenthesized_declarator (identifier) @name)
  body: (compound_statement) @body
  (#match? @macro_name "^[A-Z][A-Z0-9_]+$")) @function
; `SYSCALL_DEFINE1(name, int, fd) {` and `TEST_CASE("name") {` look like a call and a block.
(
  (expression_statement
    (call_expression
      function: (identifier) @name
      arguments: (argument_list . (_)) @arguments)
    (MISSING ";")) @function
  .
  (compound_statement) @body
  (#match? @name "^[A-Z][A-Z0-9_]+$")
  (#not-match? @name "SUITE")
)
(function_definition
  (storage_class_specifier)? @storage
  type: (_)? @returns
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name)))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator
          declarator: (function_declarator declarator: (identifier) @name))))
  ]
  body: (compound_statement) @body) @function
(struct_specifier
  name: (type_identifier) @name body: (_) @body) @struct
(union_specifier
  name: (type_identifier) @name body: (_) @body) @struct
(enum_specifier
  name: (type_identifier) @name body: (_) @body) @enum
(type_definition
  type: [
    (struct_specifier body: (_) @body)
    (union_specifier body: (_) @body)
  ] @hidden
  declarator: (type_identifier) @name) @struct
(type_definition
  type: (enum_specifier body: (_) @body) @hidden
  declarator: (type_identifier) @name) @enum
(type_definition
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name)))
  ]) @type
(preproc_function_def
  name: (identifier) @name) @macro
; No constants: header guards, what a compiler can do, keywords, and other names of functions.
(preproc_def
  name: (identifier) @name value: (preproc_arg) @value
  (#match? @name "^[A-Z][A-Z0-9_]+$")
  (#not-match? @name "_H(H|PP|XX)?_*$|INCLUDED_*$|(^|_)HA(VE|S)_")
  (#match? @value "^([-~!(0-9.{]|(L|u8?|U)?[\"']|[A-Z_][A-Z0-9_]*[ \t]*[-+*|&<(\"])")) @constant
(declaration
  (type_qualifier) @qualifier
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    ])
  (#match? @qualifier "^const")
  (#match? @name "^(k[A-Z][A-Za-z0-9_]*|[A-Z][A-Z0-9_]+)$")) @constant
(comment) @comment

(call_expression
  function: (identifier) @callee) @call
(call_expression
  function: (field_expression
    argument: (_) @receiver field: (field_identifier) @callee)) @call
(preproc_include
  path: [(string_literal) (system_lib_string)] @module) @import
(parameter_declaration
  type: (_) @typed
  declarator: [
    (identifier) @variable
    (pointer_declarator declarator: (identifier) @variable)
  ])
(declaration
  type: (_) @typed
  declarator: [
    (identifier) @variable
    (pointer_declarator declarator: (identifier) @variable)
    (init_declarator declarator: (identifier) @variable)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @variable))
  ])
(field_declaration
  type: (_) @typed
  declarator: [
    (field_identifier) @variable
    (pointer_declarator declarator: (field_identifier) @variable)
  ])
