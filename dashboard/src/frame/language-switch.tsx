import { Button } from '@mantine/core'
import { languages } from '../i18n/language'
import { useLanguage } from '../i18n/texts'
import classes from './frame.module.css'
import { Icon } from '../components/icon'

export function LanguageSwitch() {
  const { language, texts, setLanguage } = useLanguage()
  const other = languages.find((candidate) => candidate !== language) ?? language
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={classes['language'] ?? ''}
      lang={other}
      leftSection={<Icon name="globe" />}
      onClick={() => setLanguage(other)}
    >
      {texts.frame.languages[other]}
    </Button>
  )
}
