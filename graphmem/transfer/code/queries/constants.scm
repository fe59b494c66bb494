; The constants of JavaScript and TypeScript, after all that may say a name is a function or type.

(program
  (export_statement
    declaration: (_
      (variable_declarator
        name: (identifier) @name value: (_)) @constant)))
(program
  (_
    (variable_declarator
      name: (identifier) @name value: (_) @value) @constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$")
  (#not-match? @value "^(\\(|!|require\\b)"))
