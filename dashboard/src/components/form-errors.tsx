import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from './error-alert'
import { Icon } from './icon'
import type { FormSaving } from './saving'

export interface FormErrorsProps {
  saving: Pick<FormSaving, 'error' | 'invalidFields'>
  children?: ReactNode
}

export function FormErrors({ saving: { error, invalidFields }, children }: FormErrorsProps) {
  const { errors } = useTexts()
  if (error) return <ErrorAlert error={error}>{children}</ErrorAlert>
  if (invalidFields === 0) return null
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert" variant="light">
      <Text size="sm" fw={500}>
        {errors.fields(invalidFields)}
      </Text>
    </Alert>
  )
}
