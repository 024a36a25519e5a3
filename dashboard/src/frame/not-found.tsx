import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Page } from '../components/page'

export function NotFound() {
  const { frame } = useTexts()
  return (
    <Page title={frame.notFound} lead={frame.notFoundHint}>
      <Anchor component={Link} href="/">
        {frame.home}
      </Anchor>
    </Page>
  )
}
