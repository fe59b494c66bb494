; Python. What the captures mean stands in ../parsing.py.

(class_definition
  name: (identifier) @name body: (block) @body) @class
(decorated_definition
  definition: (class_definition
    name: (identifier) @name body: (block) @body) @signature) @class
(function_definition
  name: (identifier) @name return_type: (_)? @returns body: (block) @body) @function
(decorated_definition
  definition: (function_definition
    name: (identifier) @name return_type: (_)? @returns body: (block) @body) @signature) @function
; The ways in which a function can be called stand before it.
(decorated_definition
  (decorator [(identifier) (attribute)] @decorator)
  definition: (function_definition
    name: (identifier) @name)
  (#match? @decorator "^((typing|typing_extensions|t)\\.)?overload$")) @overload
; Type checkers read the other class of that name.
(if_statement
  condition: [(identifier) (attribute)] @condition
  alternative: (else_clause
    body: (block [(class_definition) (decorated_definition (class_definition))] @runtime))
  (#match? @condition "(^|\\.)TYPE_CHECKING$"))
(type_alias_statement
  left: (type (identifier) @name)) @type
(module
  (expression_statement
    (assignment
      left: (identifier) @name right: (lambda body: (_) @body))) @function)
(module
  (expression_statement
    (assignment
      left: (identifier) @name right: (_))) @constant
  (#match? @name "^_{0,2}[A-Z][A-Z0-9_]+$"))
(comment) @comment

(call
  function: (identifier) @callee)
(call
  function: (attribute
    object: (_) @receiver attribute: (identifier) @callee))
(argument_list [
  (identifier) @argument
  (attribute
    object: (identifier) @receiver attribute: (identifier) @argument)
  (keyword_argument
    value: (identifier) @argument)
  (keyword_argument
    value: (attribute
      object: (identifier) @receiver attribute: (identifier) @argument))
])
(class_definition
  name: (identifier) @heir
  superclasses: (argument_list
    [(identifier) (attribute) (subscript)] @base))

(import_statement
  name: (dotted_name) @module) @import
(import_statement
  name: (aliased_import
    name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement
  module_name: (_) @module name: (dotted_name) @imported) @import
(import_from_statement
  module_name: (_) @module
  name: (aliased_import
    name: (dotted_name) @imported alias: (identifier) @alias)) @import
(import_from_statement
  module_name: (_) @module (wildcard_import) @wildcard) @import

(typed_parameter
  . (identifier) @variable type: (type) @typed)
(typed_default_parameter
  name: (identifier) @variable type: (type) @typed)
(assignment
  left: [(identifier) (attribute)] @variable type: (type) @typed)
(assignment
  left: [(identifier) (attribute)] @variable
  right: (call
    function: [(identifier) (attribute)] @made))
(assignment
  left: [(identifier) (attribute)] @variable
  right: (await
    (call
      function: [(identifier) (attribute)] @made)))
(assignment
  left: (attribute) @variable right: (identifier) @copied)
(module
  (expression_statement
    (assignment
      left: (identifier) @variable right: (identifier) @copied)))
(class_definition
  body: (block
    (expression_statement
      (assignment
        left: (identifier) @variable right: (identifier) @copied))))
(return_statement (_) @given)
(call
  function: (identifier) @_function
  arguments: (argument_list
    . [(identifier) (attribute)] @variable . [(identifier) (attribute)] @narrowed .)
  (#eq? @_function "isinstance"))
(as_pattern
  (call
    function: [(identifier) (attribute)] @made)
  alias: (as_pattern_target
    (identifier) @variable))
(assignment
  left: (pattern_list . (identifier) @first . (identifier) @second)
  right: [
    (call function: [(identifier) (attribute)] @made)
    (await (call function: [(identifier) (attribute)] @made))
  ])
(for_statement
  left: (identifier) @variable right: (_) @each)
(for_in_clause
  left: (identifier) @variable right: (_) @each)
