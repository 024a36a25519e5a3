import { mayDo, roles } from './role'

it('a role includes lesser roles, and no greater one', () => {
  const allowed = roles.flatMap((role) =>
    roles.filter((needed) => mayDo(role, needed)).map((needed) => `${role} ${needed}`),
  )
  expect(allowed).toEqual([
    'READ_ONLY READ_ONLY',
    'ACCOUNTANT READ_ONLY',
    'ACCOUNTANT ACCOUNTANT',
    'MEMBER READ_ONLY',
    'MEMBER ACCOUNTANT',
    'MEMBER MEMBER',
    'OWNER READ_ONLY',
    'OWNER ACCOUNTANT',
    'OWNER MEMBER',
    'OWNER OWNER',
  ])
})

it('the zero value of the wire has no rights', () => {
  expect(roles.filter((needed) => mayDo('MEMBER_ROLE_UNSPECIFIED', needed))).toEqual([])
})
