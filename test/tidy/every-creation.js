/** Rules of oxlint for what every creation runs through. Decision 0125 has the measurements. */

const forbid = (selector, message) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
})

module.exports = {
  meta: { name: 'every-creation' },
  rules: {
    'leading-spread': forbid(
      'ObjectExpression[properties.length>1] > SpreadElement:first-child',
      'Node 20 gives every such object hidden classes of its own: use Object.assign.',
    ),
    'weak-map': forbid(
      'NewExpression[callee.name=/^Weak(Map|Set)$/]',
      'Its keys outlive several collections: use a property of the key.',
    ),
  },
}
