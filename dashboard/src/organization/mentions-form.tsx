import { mentionNames, neededMentions, type LegalMention } from '@einvoicing/domain/legal-mentions'
import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ServiceError } from '../api/connection'
import {
  organizationKey,
  organizationQuery,
  updateMentions,
  type Mentions,
  type Organization,
} from '../api/organization'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Icon } from '../components/icon'
import { FormErrors } from '../components/form-errors'
import { SaveBar } from '../components/save-bar'
import { UnsavedChanges } from '../components/unsaved-changes'
import { useFormSaving } from '../components/saving'
import { Completeness } from './completeness'
import { cleanMention, findMentionError, findMentionWarning } from './mention-errors'
import classes from './mentions-form.module.css'

const otherMentions = mentionNames.filter(
  (name) => !(neededMentions as readonly LegalMention[]).includes(name),
)

type Typed = Record<LegalMention, string>
type MentionsFormState = UseFormReturnType<Typed>

export interface MentionsFormProps {
  organization: Organization
  onSaved?(saved: Organization): void
}

export function MentionsForm({ organization, onSaved }: MentionsFormProps) {
  const { mentions, frame } = useTexts()
  const { canManage } = useRights()
  const queries = useQueryClient()
  const form = useForm<Typed>({
    initialValues: toTypedMentions(organization),
    validateInputOnBlur: true,
    validate: (values) =>
      Object.fromEntries(
        mentionNames.map((name) => [name, findMentionError(name, values[name], mentions.errors)]),
      ),
  })
  // What the user started from, even if a newer version is read in the background.
  const [base, setBase] = useState(organization)
  const [changed, setChanged] = useState<readonly LegalMention[]>([])
  const mergeTheirs = (theirs: Organization) => {
    const [was, now, typed] = [toTypedMentions(base), toTypedMentions(theirs), form.getValues()]
    setChanged(mentionNames.filter((name) => was[name] !== now[name]))
    setBase(theirs)
    form.resetDirty(now)
    form.setValues(mapMentions((name) => (typed[name] === was[name] ? now[name] : typed[name])))
  }
  const saving = useFormSaving(form, {
    save: (values) => updateMentions(toMentions(values), base.etag),
    onSaved: (saved) => {
      queries.setQueryData(organizationKey, saved)
      setBase(saved)
      setChanged([])
      form.resetDirty(toTypedMentions(saved))
      onSaved?.(saved)
    },
    onError: (error) => {
      if (!isChanged(error)) return
      queries.query({ ...organizationQuery, staleTime: 0 }).then(mergeTheirs, () => undefined)
    },
  })
  const isShownAbove = changed.length > 0 && isChanged(saving.error)
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack gap="lg">
        <UnsavedChanges isDirty={canManage && form.isDirty()} />
        <Completeness
          values={form.values}
          isSaved={!form.isDirty() && base.missing.length === 0}
          isApproved={base.approval === undefined}
        />
        <Fields
          title={mentions.needed}
          names={neededMentions}
          form={form}
          isReadOnly={!canManage}
        />
        <Fields title={mentions.others} names={otherMentions} form={form} isReadOnly={!canManage} />
        {changed.length > 0 && <ChangedMeanwhile names={changed} now={toTypedMentions(base)} />}
        {canManage && (
          <SaveBar errors={!isShownAbove && <FormErrors saving={saving} />}>
            <Button type="submit" loading={saving.isSaving}>
              {frame.save}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {form.isDirty() ? mentions.unsaved : ''}
            </Text>
          </SaveBar>
        )}
      </Stack>
    </form>
  )
}

function ChangedMeanwhile({ names, now }: { names: readonly LegalMention[]; now: Typed }) {
  const { mentions } = useTexts()
  return (
    <Alert color="yellow" title={mentions.changedMeanwhile} role="alert">
      {names.map((name) => (
        <Text size="sm" key={name}>
          {mentions.labels[name]}: {now[name] || '—'}
        </Text>
      ))}
    </Alert>
  )
}

const isChanged = (error: Error | null) =>
  error instanceof ServiceError && error.code === 'PRECONDITION_FAILED'

interface FieldsProps {
  title: string
  names: readonly LegalMention[]
  form: MentionsFormState
  isReadOnly: boolean
}

function Fields({ title, names, form, isReadOnly }: FieldsProps) {
  return (
    <section>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <div className={classes['fields']}>
        {names.map((name) => (
          <Field key={name} name={name} form={form} isReadOnly={isReadOnly} />
        ))}
      </div>
    </section>
  )
}

interface FieldProps {
  name: LegalMention
  form: MentionsFormState
  isReadOnly: boolean
}

function Field({ name, form, isReadOnly }: FieldProps) {
  const { mentions } = useTexts()
  const typed = form.values[name]
  const error = findMentionError(name, typed, mentions.errors)
  const warning = findMentionWarning(name, typed, mentions.errors)
  const isRight = typed.trim() !== '' && error === null && warning === null
  return (
    <div>
      <TextInput
        label={mentions.labels[name]}
        description={mentions.hints[name]}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={mentions.example(mentions.examples[name])}
        readOnly={isReadOnly}
        inputMode={name === 'ice' || name === 'rib' ? 'numeric' : undefined}
        rightSection={isRight ? <Icon name="check" /> : null}
        rightSectionProps={{ className: classes['right'] ?? '' }}
        {...form.getInputProps(name)}
      />
      <div role="status">
        {warning !== null && (
          <Text size="xs" className={classes['warning'] ?? ''}>
            <Icon name="alert" /> {warning}
          </Text>
        )}
      </div>
    </div>
  )
}

const mapMentions = (readValue: (name: LegalMention) => string): Typed =>
  Object.fromEntries(mentionNames.map((name) => [name, readValue(name)])) as Typed

const toTypedMentions = (organization: Organization): Typed =>
  mapMentions((name) => organization[name] ?? '')

const toMentions = (typed: Typed): Mentions =>
  Object.fromEntries(
    mentionNames.map((name) => [name, cleanMention(name, typed[name]) || null]),
  ) as unknown as Mentions
