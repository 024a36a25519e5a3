import { Button, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTexts } from '../i18n/texts'

interface Props {
  children: ReactNode
}

export class ErrorBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <BrokenPage /> : this.props.children
  }
}

function BrokenPage() {
  const { frame } = useTexts()
  return (
    <Stack align="flex-start" p="lg" role="alert">
      <Title order={1} size="h3">
        {frame.brokenTitle}
      </Title>
      <Text>{frame.broken}</Text>
      <Button onClick={() => window.location.reload()}>{frame.reload}</Button>
    </Stack>
  )
}
