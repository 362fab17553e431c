import { useState, useEffect, useRef, type ReactNode } from 'react'
import { CAMPAIGN_ATTACHMENTS, type CampaignContent, type CampaignAttachment } from '#shared/domain/manage/campaigns.ts'
import type { FieldValue } from '#shared/domain/manage/directory.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { fieldText, typedField } from '#shared/rules/people/people.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { useRemark, useTexts, useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn } from '../../../ui/Mark/Pill.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { usePoll, createCampaignPoll, sendCampaignFile } from './commands.ts'
import { Meter } from './words.tsx'
import { isFieldName } from '#shared/lib/field-names.ts'
import styles from './Campaigns.module.css'

type Props = {
  readonly content: CampaignContent
  readonly onChange: (to: Partial<CampaignContent>) => void
}

/** What goes with the text: files, a poll, fields of the message. */
export function Extras({ content, onChange }: Props) {
  const t = useTexts('campaigns')
  const [asking, setAsking] = useState<'file' | 'poll' | 'field'>()
  const { attachments, pollId, fields } = content
  const poll = usePoll(pollId)
  return (
    <div className={styles['chips']} role="group" aria-label={t('extras.title')}>
      {attachments.map(({ title, image }, index) => (
        <PillOn
          key={index}
          sign={<Icon name={image ? 'image' : 'file'} size={15} />}
          text={title}
          label={t('extras.remove', { name: title })}
          onRemove={() => onChange({ attachments: attachments.filter((_, at) => at !== index) })}
        />
      ))}
      {pollId === undefined ? null : (
        <PillOn
          sign={<Icon name="poll" size={15} />}
          text={typeof poll === 'object' ? poll.question : t('extras.poll.title')}
          label={t('extras.remove', { name: t('extras.poll.title') })}
          onRemove={() => onChange({ pollId: undefined })}
        />
      )}
      {Object.entries(fields).map(([name, value]) => (
        <PillOn
          key={name}
          sign={<Icon name="braces" size={15} />}
          text={`${name}: ${fieldText(value)}`}
          label={t('extras.remove', { name })}
          onRemove={() => {
            const { [name]: _gone, ...rest } = fields
            onChange({ fields: rest })
          }}
        />
      ))}
      {attachments.length >= CAMPAIGN_ATTACHMENTS ? null : (
        <Button size="small" variant="quiet" icon="paperclip" onClick={() => setAsking('file')}>
          {t('extras.file.open')}
        </Button>
      )}
      {pollId === undefined ? (
        <Button size="small" variant="quiet" icon="poll" onClick={() => setAsking('poll')}>
          {t('extras.poll.open')}
        </Button>
      ) : null}
      <Button size="small" variant="quiet" icon="braces" onClick={() => setAsking('field')}>
        {t('extras.field.open')}
      </Button>
      {asking === 'file' ? (
        <FileDialog
          onClose={() => setAsking(undefined)}
          onAdd={(file) => onChange({ attachments: [...attachments, file] })}
        />
      ) : null}
      {asking === 'poll' ? (
        <PollDialog
          senderId={content.senderId}
          onClose={() => setAsking(undefined)}
          onAdd={(id) => onChange({ pollId: id })}
        />
      ) : null}
      {asking === 'field' ? (
        <FieldDialog
          onClose={() => setAsking(undefined)}
          onAdd={(name, value) => onChange({ fields: { ...fields, [name]: value } })}
        />
      ) : null}
    </div>
  )
}

type PollProps = {
  readonly senderId: string
  readonly onClose: () => void
  readonly onAdd: (id: string) => void
}

/** A poll of the sender's: everyone gets a copy of it. */
function PollDialog({ senderId, onClose, onAdd }: PollProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [question, setQuestion] = useState('')
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'question' | 'options' | 'twice') => t(`extras.poll.${own}Wrong`))
  const change = (set: (value: string) => void) => (value: string) => {
    formMessage.clear()
    set(value)
  }
  const submit = async (): Promise<void> => {
    if (offline || working) return
    const options = typed.split('\n').flatMap((each) => (isBlank(each) ? [] : [each.trim()]))
    if (isBlank(question)) return formMessage.show('question')
    if (options.length === 0) return formMessage.show('options')
    if (new Set(options.map(sameOption)).size < options.length) return formMessage.show('twice')
    setWorking(true)
    const made = await dispatch(
      createCampaignPoll({ senderId: asUserId(senderId), question: question.trim(), options }),
    )
    setWorking(false)
    if (!made.ok) return formMessage.refuse(made.error)
    onAdd(made.value.id)
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.poll.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t('extras.poll.question')}
        hint={t('extras.poll.hint')}
        value={question}
        maxLength={500}
        autoComplete="off"
        onChange={change(setQuestion)}
      />
      <TextArea
        label={t('extras.poll.options')}
        hint={t('extras.poll.optionsHint')}
        rows={3}
        value={typed}
        maxLength={5_000}
        onChange={change(setTyped)}
      />
    </FormDialog>
  )
}

type FieldProps = { readonly onClose: () => void; readonly onAdd: (name: string, value: FieldValue) => void }

function FieldDialog({ onClose, onAdd }: FieldProps) {
  const t = useTexts('campaigns')
  const field = useNewField((name, value) => {
    onAdd(name, value)
    onClose()
  })
  return (
    <FormDialog
      title={t('extras.field.title')}
      confirm={t('extras.add')}
      error={field.refusal}
      onSubmit={field.add}
      onClose={onClose}
    >
      <NewFieldInputs field={field} hint={t('extras.field.hint')} />
    </FormDialog>
  )
}

type FileDialogProps = { readonly onClose: () => void; readonly onAdd: (file: CampaignAttachment) => void }
type TabProps = FileDialogProps & { readonly tabs: React.ReactNode }

const SOURCES = ['device', 'web'] as const

/** A file that goes with the message: from this device, or by its address. */
function FileDialog(props: FileDialogProps) {
  const t = useTexts('campaigns')
  const [source, setSource] = useState<(typeof SOURCES)[number]>('device')
  const tabs = (
    <Segments
      label={t('extras.file.source')}
      value={source}
      choices={SOURCES.map((value) => ({ value, label: t(`extras.file.sources.${value}`) }))}
      onChange={setSource}
    />
  )
  return source === 'device' ? <FromDevice {...props} tabs={tabs} /> : <FromWeb {...props} tabs={tabs} />
}

function FromDevice({ tabs, onAdd, onClose }: TabProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [done, setDone] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const formMessage = useRemark((own: 'none' | 'empty' | 'offline') => t(`extras.file.${own}`))
  useEffect(() => () => running.current?.abort(), [])
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    formMessage.clear()
    if (chosen.size === 0) return formMessage.show('empty')
    setFile(chosen)
  }
  const submit = async (): Promise<void> => {
    if (done !== undefined) return
    if (file === undefined) return formMessage.show('none')
    if (offline) return formMessage.show('offline')
    setDone(0)
    const stop = new AbortController()
    running.current = stop
    const sent = await dispatch(sendCampaignFile({ file, signal: stop.signal, onProgress: setDone }))
    if (stop.signal.aborted) return
    setDone(undefined)
    if (!sent.ok) return formMessage.refuse(sent.error)
    onAdd(sent.value)
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.file.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {tabs}
      <div className={styles['chips']}>
        <Button size="small" icon="paperclip" disabled={done !== undefined} onClick={() => input.current?.click()}>
          {t(file === undefined ? 'extras.file.choose' : 'extras.file.chooseOther')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('extras.file.choose')}
          onChange={({ currentTarget }) => {
            choose(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
        {file === undefined ? null : (
          <span className={styles['fileName']}>
            <bdi>{file.name}</bdi> <span className={styles['quiet']}>{formats.bytes(file.size)}</span>
          </span>
        )}
      </div>
      {done === undefined ? (
        <p className={styles['hint']}>{t('extras.file.deviceHint')}</p>
      ) : (
        <Meter large value={done} label={t('extras.file.sending', { name: file?.name ?? '' })} />
      )}
    </FormDialog>
  )
}

const KINDS = ['image', 'file'] as const

function FromWeb({ tabs, onClose, onAdd }: TabProps) {
  const t = useTexts('campaigns')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('image')
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const formMessage = useRemark((own: 'wrong') => t(`extras.file.${own}`))
  const submit = (): void => {
    const url = URL.parse(address.trim())
    if (url?.protocol !== 'https:') return formMessage.show('wrong')
    const name = title.trim() === '' ? (url.pathname.split('/').at(-1) ?? '') || url.host : title.trim()
    const image = kind === 'image'
    const wire = image
      ? { type: 'image', image_url: url.href, fallback: name, title: name }
      : { type: 'file', asset_url: url.href, title: name }
    onAdd({ title: name, image, json: JSON.stringify(wire) })
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.file.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={submit}
      onClose={onClose}
    >
      {tabs}
      <Segments
        label={t('extras.file.kind')}
        value={kind}
        choices={KINDS.map((value) => ({ value, label: t(`extras.file.kinds.${value}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t('extras.file.address')}
        hint={t('extras.file.hint')}
        type="url"
        value={address}
        maxLength={2_000}
        autoComplete="off"
        onChange={(next) => {
          formMessage.clear()
          setAddress(next)
        }}
      />
      <TextField
        label={t('extras.file.name')}
        optional={t('optional')}
        value={title}
        maxLength={255}
        autoComplete="off"
        onChange={setTitle}
      />
    </FormDialog>
  )
}

type NewField = {
  readonly name: string
  readonly value: string
  readonly setName: (name: string) => void
  readonly setValue: (value: string) => void
  /** Why it was not added. */
  readonly refusal: string | undefined
  /** Hands it to the caller, if its name may be one, and is empty again. */
  readonly add: () => void
}

/** A field of custom data that is being written. */
export function useNewField(onAdd: (name: string, value: FieldValue) => void): NewField {
  const t = useTexts('campaigns')
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const remark = useRemark((own: 'wrong') => t(`extras.field.${own}`))
  return {
    name,
    value,
    setName: (next) => {
      remark.clear()
      setName(next)
    },
    setValue,
    refusal: remark.text,
    add: () => {
      if (!isFieldName(name.trim())) return remark.show('wrong')
      onAdd(name.trim(), typedField(value, undefined))
      setName('')
      setValue('')
    },
  }
}

type NewFieldInputsProps = { readonly field: NewField; readonly hint?: string; readonly optional?: string }

/** Its name and its value. */
export function NewFieldInputs({ field, hint, optional }: NewFieldInputsProps) {
  const t = useTexts('campaigns')
  return (
    <>
      <TextField
        label={t('extras.field.name')}
        hint={hint}
        optional={optional}
        value={field.name}
        maxLength={64}
        autoComplete="off"
        onChange={field.setName}
      />
      <TextField
        label={t('extras.field.value')}
        value={field.value}
        maxLength={5_000}
        autoComplete="off"
        onChange={field.setValue}
      />
    </>
  )
}

type FormProps = {
  readonly title: string
  readonly confirm: string
  readonly error: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A few fields, and what is wrong with them. */
export function FormDialog({ title, confirm, error, onSubmit, onClose, children }: FormProps) {
  const common = useTexts('common')
  return (
    <Dialog
      width={420}
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {children}
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}
