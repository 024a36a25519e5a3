import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { createDraft, invoiceKey, updateDraft, useInvoice, type Invoice } from '../api/invoice'
import { invoicesKey } from '../api/invoices'
import { useLanguage, useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Page } from '../components/page'
import { ReadOnlyNote } from '../components/read-only-note'
import { useFormSaving } from '../components/saving'
import { Lines, Loaded } from '../components/states'
import { Conflict } from './conflict'
import {
  createDraftForm,
  findChanges,
  findErrors,
  toContent,
  toTypedDraft,
  type TypedDraft,
} from './draft'
import { DraftForm } from './draft-form'
import { UnsavedChanges } from './unsaved-changes'

export function NewDraft() {
  const { draft } = useTexts()
  const { canWrite } = useRights()
  const [parameters] = useSearchParams()
  const copied = parameters.get('copy') ?? ''
  const query = useInvoice(copied, copied !== '')
  return (
    <Page title={draft.newTitle} lead={draft.newLead}>
      {!canWrite ? (
        <ReadOnlyNote />
      ) : copied === '' ? (
        <Creation />
      ) : (
        <Loaded query={query} skeleton={<Lines count={4} height={160} />}>
          {(original) => <Creation original={original} />}
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

function useDraftForm(initialValues: TypedDraft) {
  const { language, texts } = useLanguage()
  return useForm<TypedDraft>({
    initialValues,
    validate: (typed) => findErrors(typed, language, texts.draft.errors),
  })
}

function useSaved() {
  const { draft } = useTexts()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  return ({ id, invoiceNumber }: Invoice) => {
    void queries.invalidateQueries({ queryKey: invoicesKey })
    notifications.show({ message: draft.saved(invoiceNumber), color: 'green' })
    navigate(`/invoices/${id}`, { replace: true })
  }
}

function Creation({ original }: { original?: Invoice }) {
  const { language } = useLanguage()
  const form = useDraftForm(copyInvoice(original, language))
  const [isSaved, setIsSaved] = useState(false)
  const saved = useSaved()
  const saving = useFormSaving(form, {
    save: (typed) => createDraft(toContent(typed, language)),
    onSaved: (created) => {
      setIsSaved(true)
      saved(created)
    },
  })
  return (
    <>
      <UnsavedChanges isDirty={form.isDirty() && !isSaved} />
      <DraftForm form={form} saving={saving} />
    </>
  )
}

function copyInvoice(original: Invoice | undefined, language: 'fr' | 'en'): TypedDraft {
  const empty = createDraftForm(new Date())
  if (!original) return empty
  const { invoiceDate } = empty
  return { ...toTypedDraft(original, language), invoiceNumber: '', invoiceDate, dueDate: '' }
}

function Editing({ newest }: { newest: Invoice }) {
  const { language } = useLanguage()
  const queries = useQueryClient()
  // What the user started from; `newest` changes with events.
  const [base, setBase] = useState(newest)
  const [isSaved, setIsSaved] = useState(false)
  const form = useDraftForm(toTypedDraft(base, language))
  const saved = useSaved()
  const isChanged = newest.updatedAt !== base.updatedAt && !isSaved
  const takeTheirs = () => {
    const typed = toTypedDraft(newest, language)
    form.setInitialValues(typed)
    form.setValues(typed)
    form.clearErrors()
    setBase(newest)
  }
  const saving = useFormSaving(form, {
    save: (typed) => {
      const before = toContent(toTypedDraft(base, language), language)
      return updateDraft(base.id, findChanges(before, toContent(typed, language)), base.updatedAt)
    },
    onSaved: (changed) => {
      setIsSaved(true)
      queries.setQueryData(invoiceKey(changed.id), changed)
      saved(changed)
    },
    // Loads the newer version, which `Conflict` then shows.
    onError: () => void queries.invalidateQueries({ queryKey: invoicesKey }),
  })
  const isEditable = newest.status === 'PENDING'
  return (
    <>
      <UnsavedChanges isDirty={form.isDirty() && !isSaved} />
      {(isChanged || !isEditable) && !isSaved && (
        <Conflict
          mine={form.values}
          theirs={newest}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => setBase(newest)}
        />
      )}
      <DraftForm form={form} saving={saving} isBlocked={isChanged || !isEditable} />
    </>
  )
}
