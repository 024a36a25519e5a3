import { RecentBytes } from './recent-bytes'

const listKept = (recent: RecentBytes, keys: string) =>
  [...keys].filter((key) => recent.get(key) !== undefined).join('')

it('keeps what was used last, up to its bound', () => {
  const recent = new RecentBytes(100)
  recent.add('a', Buffer.alloc(40))
  recent.add('b', Buffer.alloc(60))
  expect(listKept(recent, 'ba')).toBe('ba')
  recent.add('c', Buffer.alloc(1))
  expect(listKept(recent, 'abc')).toBe('ac')
  recent.add('d', Buffer.alloc(101))
  expect(listKept(recent, 'acd')).toBe('ac')
  recent.add('e', Buffer.alloc(100))
  expect(listKept(recent, 'ace')).toBe('e')
})

it('counts bytes that replace others once', () => {
  const recent = new RecentBytes(100)
  recent.add('a', Buffer.alloc(90))
  recent.add('a', Buffer.alloc(50))
  recent.add('b', Buffer.alloc(50))
  expect(recent.get('a')).toHaveLength(50)
  expect(recent.get('b')).toHaveLength(50)
})
