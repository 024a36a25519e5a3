import { Anchor, Button, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { previewInvoice, type Invoice } from '../api/invoice'
import { useLanguage, useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { Icon } from '../components/icon'
import { useFormSaving, useSaving } from '../components/saving'
import classes from './detail.module.css'
import { toContent, toTypedDraft } from './draft'
import type { DraftFormState } from './draft-state'

export function useFormPreview(form: DraftFormState) {
  const { language } = useLanguage()
  const [pdf, setPdf] = useState<Blob>()
  const { onSubmit, ...drawing } = useFormSaving(form, {
    save: (typed) => previewInvoice(toContent(typed, language)),
    onSaved: setPdf,
  })
  const dialog = pdf && <PdfPreview pdf={pdf} onClose={() => setPdf(undefined)} />
  return { ...drawing, draw: () => onSubmit(), dialog }
}

export function DraftPreview({ invoice }: { invoice: Invoice }) {
  const { language, texts } = useLanguage()
  const [pdf, setPdf] = useState<Blob>()
  const drawing = useSaving<undefined, Blob>({
    save: () => previewInvoice(toContent(toTypedDraft(invoice, language), language)),
    onSaved: setPdf,
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="document" />}
        loading={drawing.isSaving}
        onClick={() => drawing.run(undefined)}
      >
        {texts.invoice.preview}
      </Button>
      <ErrorAlert error={drawing.error} />
      {pdf && <PdfPreview pdf={pdf} onClose={() => setPdf(undefined)} />}
    </>
  )
}

interface PdfPreviewProps {
  pdf: Blob
  onClose(): void
}

/** In the page, because browsers block a window that opens long after the click. */
function PdfPreview({ pdf, onClose }: PdfPreviewProps) {
  const { draft, invoice } = useTexts()
  const [url] = useState(() => URL.createObjectURL(pdf))
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return (
    <Modal opened onClose={onClose} title={invoice.preview} size="60rem">
      <Text size="sm" c="dimmed" mb="sm">
        {draft.previewHint}{' '}
        <Anchor href={url} target="_blank" inherit>
          {draft.previewTab}
        </Anchor>
      </Text>
      <iframe
        className={classes['preview']}
        src={`${url}#navpanes=0&view=FitH`}
        title={invoice.preview}
      />
    </Modal>
  )
}
