import { Alert, Text } from '@mantine/core'
import { ServiceError } from '../api/connection'
import type { Catalogue } from '../i18n/catalogue'
import { useLanguage } from '../i18n/texts'
import { Icon } from './icon'

/** One sentence for an error of any kind. */
export function describeError(error: unknown, texts: Catalogue): string {
  if (!(error instanceof ServiceError)) return texts.frame.unreachable
  return texts.errors.byCode[error.code] ?? error.message
}

export function ErrorAlert({ error }: { error: unknown }) {
  const { language, texts } = useLanguage()
  if (error === null || error === undefined) return null
  const sentence = describeError(error, texts)
  const detail = error instanceof ServiceError && error.message !== sentence && error.message
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert" variant="light">
      <Text size="sm" fw={500}>
        {sentence}
      </Text>
      {detail && (
        <Text size="xs" mt={4} lang={language === 'en' ? undefined : 'en'}>
          {detail}
        </Text>
      )}
    </Alert>
  )
}
