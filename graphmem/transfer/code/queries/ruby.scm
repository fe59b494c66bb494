; Ruby. What the captures mean stands in ../parsing.py.

(class
  name: [(constant) @name (scope_resolution) @path] superclass: (_) @head) @class
(class
  name: [(constant) @name @head (scope_resolution) @path @head] !superclass) @class
; `Point = Struct.new(:x) do … end` and `Missing = Class.new(StandardError)`.
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @maker method: (identifier) @making)
  (#any-of? @maker "Class" "Struct" "Data")
  (#any-of? @making "new" "define")) @class
; A module with methods is mixed into types, all others only qualify names.
(module
  name: [(constant) @name @head (scope_resolution) @path @head]
  body: (body_statement [(method) (singleton_method) (singleton_class)])) @trait
(module
  name: [(constant) @name @head (scope_resolution) @path @head]
  body: (body_statement
    (call
      method: (identifier) @mixing
      arguments: (argument_list (method))))) @trait
(module
  name: [(constant) @name @head (scope_resolution) @path @head]
  body: (body_statement
    (call
      !receiver method: (identifier) @mixing block: (_)))
  (#any-of? @mixing "included" "prepended" "class_methods")) @trait
(module
  name: [(constant) @name (scope_resolution) @path]) @namespace
(method
  name: (_) @name parameters: (_) @head) @function
(method
  name: (_) @name @head !parameters) @function
(program
  (singleton_method
    object: (constant) @owner name: (_) @name @head) @function)
(singleton_method
  name: (_) @name parameters: (_) @head) @function
(singleton_method
  name: (_) @name @head !parameters) @function
; `private def open`
(call
  !receiver arguments: (argument_list . [(method name: (_) @name) (singleton_method name: (_) @name)] .)) @function
(assignment
  left: (constant) @name right: (_)
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @constant
(comment) @comment
; What is defined inside is asked of the type itself.
(singleton_class) @static
(singleton_method) @static
(call
  !receiver method: (identifier) @mixing block: (_)
  (#eq? @mixing "class_methods")) @static

(call
  !receiver method: (identifier) @callee)
(call
  receiver: (_) @receiver method: [(identifier) (constant)] @callee)
(class
  name: [(constant) @heir (scope_resolution name: (constant) @heir)]
  superclass: (superclass [(constant) (scope_resolution)] @base))
(assignment
  left: (constant) @heir
  right: (call
    receiver: (constant) @maker
    method: (identifier) @making
    arguments: (argument_list . [(constant) (scope_resolution)] @base))
  (#eq? @maker "Class")
  (#eq? @making "new"))
(class
  name: [(constant) @heir (scope_resolution name: (constant) @heir)]
  body: (body_statement
    (call
      !receiver
      method: (identifier) @mixing
      arguments: (argument_list [(constant) (scope_resolution)] @base)))
  (#any-of? @mixing "include" "extend" "prepend"))
(module
  name: [(constant) @heir (scope_resolution name: (constant) @heir)]
  body: (body_statement
    (call
      !receiver
      method: (identifier) @mixing
      arguments: (argument_list [(constant) (scope_resolution)] @base)))
  (#any-of? @mixing "include" "extend" "prepend"))

(call
  !receiver
  method: (identifier) @requiring
  arguments: (argument_list . (string . (string_content) .) .)
  (#any-of? @requiring "require" "require_relative")) @import @module

(assignment
  left: (identifier) @variable
  right: (call
    receiver: [(constant) (scope_resolution)] @made method: (identifier) @making)
  (#eq? @making "new"))
(operator_assignment
  left: (identifier) @variable
  right: (call
    receiver: [(constant) (scope_resolution)] @made method: (identifier) @making)
  (#eq? @making "new"))
(assignment
  left: [(instance_variable) (class_variable)] @field
  right: (call
    receiver: [(constant) (scope_resolution)] @made method: (identifier) @making)
  (#eq? @making "new"))
(operator_assignment
  left: [(instance_variable) (class_variable)] @field
  right: (call
    receiver: [(constant) (scope_resolution)] @made method: (identifier) @making)
  (#eq? @making "new"))

; A name alone calls a method unless it is a variable.
(identifier) @parenless
(method_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(block_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(for pattern: (identifier) @local)
(exception_variable (identifier) @local)
(in_clause pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(array_pattern (identifier) @local)
(find_pattern (identifier) @local)
(keyword_pattern value: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local)
(alias (identifier) @local)
(undef (identifier) @local)
