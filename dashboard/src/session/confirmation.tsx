/** A call that needs a recent proof waits for it, and nothing typed is lost. */

import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onConfirmationRequired } from '../api/connection'
import { ownSessionsKey } from '../api/own-sessions'
import { readConfirmingPasskey } from '../api/passkeys'
import { useSecondFactors } from '../api/second-factor'
import { confirmSession } from '../api/session'
import { useTexts } from '../i18n/texts'
import { createDeferred, type Deferred } from './deferred'
import { ProofForm } from './proof-form'
import { useSessionState } from './session'

export function Confirmation() {
  const { session } = useSessionState()
  const [waiting, setWaiting] = useState<Deferred>()
  useEffect(() => {
    let shared: Deferred | undefined
    onConfirmationRequired(() => {
      if (!shared) {
        shared = createDeferred()
        setWaiting(shared)
        const forget = () => {
          shared = undefined
          setWaiting(undefined)
        }
        shared.done.then(forget, forget)
      }
      return shared.done
    })
    return () => onConfirmationRequired(undefined)
  }, [])
  if (!session || !waiting) return null
  return (
    <ConfirmationDialog
      email={session.email}
      onConfirmed={waiting.resolve}
      onDeclined={() => waiting.reject()}
    />
  )
}

interface ConfirmationDialogProps {
  email: string
  onConfirmed(): void
  onDeclined(): void
}

function ConfirmationDialog({ email, onConfirmed, onDeclined }: ConfirmationDialogProps) {
  const { frame } = useTexts()
  const queries = useQueryClient()
  const { data: factors } = useSecondFactors()
  const provePasskey = async () => confirmSession({ passkey: await readConfirmingPasskey() })
  return (
    <Modal
      opened
      title={frame.confirmTitle}
      closeOnClickOutside={false}
      onClose={onDeclined}
      zIndex={400}
    >
      <Text size="sm" mb="sm">
        {frame.confirmLead}
      </Text>
      <ProofForm
        kinds={factors?.totp ? ['password', 'code'] : ['password']}
        action={frame.confirm}
        email={email}
        dismiss={
          <Button variant="default" onClick={onDeclined}>
            {frame.cancel}
          </Button>
        }
        prove={confirmSession}
        provePasskey={factors?.passkeys.length ? provePasskey : undefined}
        onProven={() => {
          void queries.invalidateQueries({ queryKey: ownSessionsKey })
          onConfirmed()
        }}
      />
    </Modal>
  )
}
