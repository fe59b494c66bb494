; A component in JSX is a call of it.

(jsx_self_closing_element
  name: (identifier) @callee)
(jsx_opening_element
  name: (identifier) @callee)
