; Rust. What the captures mean stands in ../parsing.py.

(function_item
  name: (identifier) @name return_type: (_)? @returns body: (block) @body) @function
(trait_item
  body: (declaration_list
    (function_signature_item
      name: (identifier) @name return_type: (_)? @returns) @function @head))
(struct_item
  name: (type_identifier) @name) @struct
(union_item
  name: (type_identifier) @name) @struct
(enum_item
  name: (type_identifier) @name body: (_) @body) @enum
(trait_item
  name: (type_identifier) @name body: (_) @body) @trait
(type_item
  name: (type_identifier) @name) @type
(macro_definition
  name: (identifier) @name) @macro
(impl_item
  trait: (_)? @implements
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  ]
  body: (_) @body) @extension
(mod_item
  name: (identifier) @name body: (_) @body) @namespace
(const_item
  name: (identifier) @name
  (#not-eq? @name "_")) @constant
(static_item
  name: (identifier) @name) @constant
(line_comment) @comment
(block_comment) @comment
(attribute_item) @comment
(
  (attribute_item) @attribute
  .
  (attribute_item)*
  .
  [(mod_item) (function_item)] @testing
  (#match? @attribute "^#\\[(cfg\\(test\\)|([a-z_]+::)?test|rstest)")
)

(call_expression
  function: [
    (identifier) @callee
    (generic_function function: (identifier) @callee)
  ])
(call_expression
  function: [
    (scoped_identifier path: (_) @receiver name: (identifier) @callee)
    (generic_function
      function: (scoped_identifier path: (_) @receiver name: (identifier) @callee))
  ])
(call_expression
  function: [
    (field_expression value: (_) @receiver field: (field_identifier) @callee)
    (generic_function
      function: (field_expression value: (_) @receiver field: (field_identifier) @callee))
  ])
(macro_invocation
  macro: (identifier) @callee)
(impl_item
  trait: (_) @base
  type: [
    (type_identifier) @heir
    (generic_type type: (type_identifier) @heir)
  ])
(trait_item
  name: (type_identifier) @heir
  bounds: (trait_bounds
    [(type_identifier) (scoped_type_identifier) (generic_type)] @base))

(use_declaration
  argument: (_) @tree) @import
(extern_crate_declaration
  name: (identifier) @module alias: (identifier) @alias) @import
(mod_item
  name: (identifier) @child !body) @import

(parameter
  pattern: (identifier) @variable type: (_) @typed)
(let_declaration
  pattern: (identifier) @variable type: (_) @typed)
(let_declaration
  pattern: (identifier) @variable
  value: (call_expression
    function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made))
(let_declaration
  pattern: (identifier) @variable
  value: (try_expression
    (call_expression
      function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made)))
(let_declaration
  pattern: (identifier) @variable
  value: (await_expression
    (call_expression
      function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made)))
(let_declaration
  pattern: (identifier) @variable
  value: (try_expression
    (await_expression
      (call_expression
        function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made))))
(let_declaration
  pattern: (identifier) @variable
  value: (struct_expression name: (_) @typed))
(field_declaration
  name: (field_identifier) @variable type: (_) @typed)
(enum_variant
  name: (identifier) @variable body: (ordered_field_declaration_list) @type_arguments)
(struct_item
  body: (ordered_field_declaration_list) @unnamed)
(const_item
  name: (identifier) @variable type: (_) @typed)
(static_item
  name: (identifier) @variable type: (_) @typed)
; Of `let`, `if let` and `while let`.
(_
  pattern: (tuple_struct_pattern type: (identifier) @wrapper . [
      (identifier) @variable
      (mut_pattern (identifier) @variable)
      (ref_pattern [(identifier) @variable (mut_pattern (identifier) @variable)])
    ] .)
  value: [
    (identifier) @copied
    (reference_expression (identifier) @copied)
    (unary_expression (identifier) @copied)
    (await_expression) @made
    (call_expression) @made
    (field_expression) @made
    (try_expression) @made
    (reference_expression [(call_expression) (field_expression)] @made)
    (unary_expression [(call_expression) (field_expression)] @made)
  ]
  (#any-of? @wrapper "Ok" "Some"))
(match_expression
  value: [
    (identifier) @copied
    (reference_expression (identifier) @copied)
    (unary_expression (identifier) @copied)
    (await_expression) @made
    (call_expression) @made
    (field_expression) @made
    (try_expression) @made
    (reference_expression [(call_expression) (field_expression)] @made)
    (unary_expression [(call_expression) (field_expression)] @made)
  ]
  body: (match_block
    (match_arm
      pattern: (match_pattern
        (tuple_struct_pattern type: (identifier) @wrapper . [
            (identifier) @variable
            (mut_pattern (identifier) @variable)
            (ref_pattern [(identifier) @variable (mut_pattern (identifier) @variable)])
          ] .))))
  (#any-of? @wrapper "Ok" "Some"))
(tuple_struct_pattern
  type: (scoped_identifier) @variant . [
    (identifier) @variable
    (mut_pattern (identifier) @variable)
    (ref_pattern [(identifier) @variable (mut_pattern (identifier) @variable)])
  ])
(let_declaration
  pattern: (tuple_pattern
    . [(identifier) @first (mut_pattern (identifier) @first)]
    . [(identifier) @second (mut_pattern (identifier) @second)])
  value: [
    (call_expression function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made)
    (try_expression
      (call_expression function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made))
    (await_expression
      (call_expression function: [(identifier) (scoped_identifier) (field_expression) (generic_function)] @made))
  ])
(call_expression
  arguments: (arguments
    (closure_expression parameters: (closure_parameters) @parameters) @lambda)) @call
(for_expression
  pattern: (identifier) @variable value: (_) @each)
(call_expression
  function: (field_expression value: (_) @each field: (field_identifier) @method)
  arguments: (arguments
    . (closure_expression parameters: (closure_parameters . (identifier) @variable .)))
  (#any-of? @method "all" "any" "filter" "filter_map" "find" "flat_map" "for_each" "map"
    "max_by_key" "min_by_key" "position" "retain" "sort_by_key" "take_while"))
