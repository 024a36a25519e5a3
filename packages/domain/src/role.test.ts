import { mayDo, roles } from './role'

it('each role may do what it needs and what a lesser one may, and none what a greater one may', () => {
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
