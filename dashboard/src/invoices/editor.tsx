import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { createDraft, invoiceKey, updateDraft, useInvoice, type Invoice } from '../api/invoice'
import { invoicesKey } from '../api/invoices'
import { useLanguage, useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Icon } from '../components/icon'
import { Page } from '../components/page'
import { ReadOnlyNote } from '../components/read-only-note'
import { useFormSaving } from '../components/saving'
import { Lines, Loaded } from '../components/states'
import { replaceForm, UnsavedChanges } from '../components/unsaved-changes'
import { Conflict } from './conflict'
import { findChanges, toContent, toTypedDraft, type TypedDraft } from './draft'
import { findErrors } from './draft-errors'
import { DraftForm, type SaveIntent } from './draft-form'
import { useDraftState } from './draft-state'
import { isNumberTaken } from './existing-invoice'
import { findPossibleDeposits, startDraft, purposes, type Original } from './new-draft'

export function NewDraft() {
  const { credit, draft } = useTexts()
  const { canWrite } = useRights()
  const [parameters] = useSearchParams()
  const purpose = purposes.find((name) => parameters.get(name))
  const id = (purpose && parameters.get(purpose)) ?? ''
  const query = useInvoice(id, id !== '')
  const title = credit.newTitles[purpose === 'credit' ? 'CREDIT_NOTE' : 'INVOICE']
  return (
    <Page title={title} lead={draft.newLead}>
      {!canWrite ? (
        <ReadOnlyNote />
      ) : purpose === undefined ? (
        <Creation key="empty" />
      ) : (
        <Loaded query={query} skeleton={<Lines count={4} height={160} />}>
          {(invoice) => <Creation key={invoice.id} original={{ purpose, invoice }} />}
        </Loaded>
      )}
    </Page>
  )
}

export function EditDraft() {
  const { id } = useParams<{ id: string }>()
  const { draft } = useTexts()
  const { canWrite } = useRights()
  const query = useInvoice(id)
  return (
    <Page title={draft.editTitle(query.data?.invoiceNumber ?? '…')}>
      {canWrite ? (
        <Loaded query={query} skeleton={<Lines count={4} height={160} />}>
          {(newest) => <Editing key={id} newest={newest} />}
        </Loaded>
      ) : (
        <ReadOnlyNote />
      )}
    </Page>
  )
}

function useDraft(createInitial: () => TypedDraft) {
  const { language, texts } = useLanguage()
  return useDraftState(createInitial, (typed) => findErrors(typed, language, texts.draft.errors))
}

/** To the invoice, where the signature is confirmed if that button was pressed. */
function useSaved() {
  const texts = useTexts()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const intent = useRef<SaveIntent>('save')
  const onSaved = ({ id, invoiceNumber }: Invoice) => {
    void queries.invalidateQueries({ queryKey: invoicesKey })
    void queries.invalidateQueries({ queryKey: ['suggestions'] })
    notifications.show({ message: texts.draft.saved(invoiceNumber), color: 'green' })
    const address = `/invoices/${id}${intent.current === 'sign' ? '?sign' : ''}`
    replaceForm(() => navigate(address, { replace: true }))
  }
  const onIntent = (pressed: SaveIntent) => {
    intent.current = pressed
  }
  const findFields = (error: Error) =>
    isNumberTaken(error)
      ? { invoiceNumber: texts.errors.byCode['INVOICE_NUMBER_EXISTS'] }
      : undefined
  return { onSaved, onIntent, findFields }
}

function Creation({ original }: { original?: Original }) {
  const { language, texts } = useLanguage()
  const form = useDraft(() => startDraft(original, { language, texts, today: new Date() }))
  const [isSaved, setIsSaved] = useState(false)
  const { onSaved, onIntent, findFields } = useSaved()
  const saving = useFormSaving(form, {
    save: (typed) => createDraft(toContent(typed, language)),
    findFields,
    onSaved: (created) => {
      setIsSaved(true)
      onSaved(created)
    },
  })
  const deposits = original ? findPossibleDeposits(original, form.values) : []
  return (
    <>
      <UnsavedChanges isDirty={form.isDirty && !isSaved} />
      {deposits.length > 0 && (
        <Alert color="orange" variant="light" mb="md" icon={<Icon name="alert" />}>
          {texts.credit.possibleDeposits(deposits)}
        </Alert>
      )}
      <DraftForm form={form} saving={saving} onIntent={onIntent} isNew />
    </>
  )
}

function Editing({ newest }: { newest: Invoice }) {
  const { language } = useLanguage()
  const queries = useQueryClient()
  // What the user started from; `newest` changes with events.
  const [base, setBase] = useState(newest)
  const [isSaved, setIsSaved] = useState(false)
  const form = useDraft(() => toTypedDraft(newest, language))
  const { onSaved, onIntent, findFields } = useSaved()
  const isChanged = newest.updatedAt !== base.updatedAt && !isSaved
  const takeTheirs = () => {
    form.reset(toTypedDraft(newest, language))
    setBase(newest)
  }
  const saving = useFormSaving(form, {
    save: (typed) => {
      const before = toContent(toTypedDraft(base, language), language)
      return updateDraft(base.id, findChanges(before, toContent(typed, language)), base.updatedAt)
    },
    findFields,
    onSaved: (changed) => {
      setIsSaved(true)
      queries.setQueryData(invoiceKey(changed.id), changed)
      onSaved(changed)
    },
    // Loads the newer version, which `Conflict` then shows.
    onError: () => void queries.invalidateQueries({ queryKey: invoicesKey }),
  })
  const isEditable = newest.status === 'PENDING'
  return (
    <>
      <UnsavedChanges isDirty={form.isDirty && !isSaved} />
      {(isChanged || !isEditable) && !isSaved && (
        <Conflict
          mine={form.values}
          theirs={newest}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => setBase(newest)}
        />
      )}
      <DraftForm
        form={form}
        saving={saving}
        onIntent={onIntent}
        isBlocked={isChanged || !isEditable}
      />
    </>
  )
}
