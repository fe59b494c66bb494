; What JavaScript and TypeScript share. What the captures mean stands in ../parsing.py.

(function_declaration
  name: (identifier) @name body: (_) @body) @function
(generator_function_declaration
  name: (identifier) @name body: (_) @body) @function
(export_statement
  declaration: (function_declaration
    name: (identifier) @name body: (_) @body)) @function
(export_statement
  declaration: (generator_function_declaration
    name: (identifier) @name body: (_) @body)) @function
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
; A hook of React that a call makes of a function, such as `create((set) => …)`.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    arguments: (arguments
      . [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
      ]))
  (#match? @name "^use[A-Z]")) @function
(export_statement
  declaration: (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression
        function: (identifier)
        arguments: (arguments
          . [
            (arrow_function body: (_) @body)
            (function_expression body: (_) @body)
          ]))))) @function
(assignment_expression
  left: (member_expression
    object: (_) @owner property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
(class_body
  (method_definition
    name: (_) @name body: (_) @body) @function)
(class_declaration
  name: (_) @name body: (_) @body) @class
(export_statement
  declaration: (class_declaration
    name: (_) @name body: (_) @body)) @class
(variable_declarator
  name: (identifier) @name value: (class body: (_) @body)) @class
(comment) @comment
(decorator) @comment

(call_expression
  function: (identifier) @callee)
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @callee))
(arguments [
  (identifier) @argument
  (member_expression
    object: [(this) (identifier)] @receiver
    property: [(property_identifier) (private_property_identifier)] @argument)
])
(call_expression
  function: (member_expression
    object: (member_expression
      object: (this) @receiver
      property: [(property_identifier) (private_property_identifier)] @argument)
    property: (property_identifier) @bind)
  (#eq? @bind "bind"))
(new_expression
  constructor: (identifier) @callee)
(new_expression
  constructor: (member_expression
    object: (_) @receiver property: (property_identifier) @callee))

(import_statement
  source: (string (string_fragment) @module)) @import
(import_statement
  (import_clause (identifier) @whole)
  source: (string (string_fragment) @module)) @import
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @module)) @import
(import_statement
  (import_clause (named_imports) @specifiers)
  source: (string (string_fragment) @module)) @import
(export_statement
  source: (string (string_fragment) @module)) @import
(export_statement
  (export_clause) @specifiers
  source: (string (string_fragment) @module)) @import
(export_statement
  "*" @wildcard
  source: (string (string_fragment) @module)) @import
(call_expression
  function: [(identifier) (import)] @requires
  arguments: (arguments . (string (string_fragment) @module) .)
  (#any-of? @requires "require" "import")) @import
(variable_declarator
  name: (identifier) @alias
  value: (call_expression
    function: (identifier) @requires
    arguments: (arguments . (string (string_fragment) @module) .))
  (#eq? @requires "require")) @import
(variable_declarator
  name: (object_pattern) @specifiers
  value: (call_expression
    function: (identifier) @requires
    arguments: (arguments . (string (string_fragment) @module) .))
  (#eq? @requires "require")) @import
(export_statement
  !source
  (export_clause
    (export_specifier
      name: (identifier) @copied alias: (_) @variable)))
(export_statement
  !source
  (export_clause
    (export_specifier
      name: (identifier) @default alias: (_) @_alias))
  (#eq? @_alias "default"))
(export_statement
  "default" value: (identifier) @default)
(export_statement
  "default" declaration: (_ name: (_) @default))
(assignment_expression
  left: (member_expression) @exports
  right: (identifier) @default
  (#eq? @exports "module.exports"))

(variable_declarator
  name: (identifier) @variable
  value: (new_expression
    constructor: (_) @made))
(variable_declarator
  name: (identifier) @variable
  value: (call_expression
    function: [(identifier) (member_expression)] @made))
(variable_declarator
  name: (identifier) @variable
  value: (await_expression
    (call_expression
      function: [(identifier) (member_expression)] @made)))
(assignment_expression
  left: (member_expression) @variable
  right: (new_expression
    constructor: (_) @made))
(assignment_expression
  left: (member_expression) @variable
  right: (identifier) @copied)
(return_statement (_) @given)
(arrow_function
  body: [
    (await_expression)
    (call_expression)
    (identifier)
    (member_expression)
    (new_expression)
    (parenthesized_expression)
    (ternary_expression)
  ] @given)
(binary_expression
  left: [(identifier) (member_expression)] @variable
  operator: "instanceof"
  right: [(identifier) (member_expression)] @narrowed)
(variable_declarator
  name: (array_pattern) @several
  value: [
    (call_expression function: [(identifier) (member_expression)] @made)
    (await_expression (call_expression function: [(identifier) (member_expression)] @made))
  ])
(for_in_statement
  left: (identifier) @variable operator: "of" right: (_) @each)
(variable_declarator
  name: (object_pattern) @destructured value: (_) @object)
