import { TextInput } from '@mantine/core'
import { useTexts } from '../i18n/texts'

interface EmailForm {
  key(path: 'email'): string
  getInputProps(path: 'email'): object
}

export function EmailField({ form }: { form: EmailForm }) {
  const { frame } = useTexts()
  return (
    <TextInput
      label={frame.email}
      type="email"
      autoComplete="username"
      key={form.key('email')}
      {...form.getInputProps('email')}
    />
  )
}
