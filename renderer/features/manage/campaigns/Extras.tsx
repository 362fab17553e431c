import { useState } from 'react'
import { CAMPAIGN_ATTACHMENTS, type CampaignContent } from '#shared/domain/manage/campaigns.ts'
import type { FieldValue } from '#shared/domain/manage/directory.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { fieldText, typedField } from '#shared/rules/people/people.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn } from '../../../ui/Mark/Pill.tsx'
import { createCampaignPoll } from './commands.ts'
import { FormDialog } from './Dialogs.tsx'
import { FileDialog } from './FileDialog.tsx'
import { usePoll } from './use-poll.ts'
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
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const formMessage = useRemark((own: 'wrong') => t(`extras.field.${own}`))
  const submit = (): void => {
    if (!isFieldName(name.trim())) return formMessage.show('wrong')
    onAdd(name.trim(), typedField(value, undefined))
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.field.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('extras.field.name')}
        hint={t('extras.field.hint')}
        value={name}
        maxLength={64}
        autoComplete="off"
        onChange={(next) => {
          formMessage.clear()
          setName(next)
        }}
      />
      <TextField
        label={t('extras.field.value')}
        value={value}
        maxLength={5_000}
        autoComplete="off"
        onChange={setValue}
      />
    </FormDialog>
  )
}
