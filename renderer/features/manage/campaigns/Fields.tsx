import { useState, useRef } from 'react'
import {
  CAMPAIGN_PEOPLE,
  CAMPAIGN_SEGMENTS,
  type CampaignContent,
  type CampaignSegment,
} from '#shared/domain/manage/campaigns.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import {
  fieldKey,
  fieldsOf,
  isFieldWritable,
  writeField,
  type TemplateField,
} from '#shared/rules/campaigns/campaigns.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn, PopoverPill, MenuPill } from '../../../ui/Mark/Pill.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { FindList, type Found } from '../FindList.tsx'
import { Portrait, useNames } from '../../people/index.ts'
import { findAudience } from './commands.ts'
import { FormDialog } from './Extras.tsx'
import { KNOWN_FIELDS, useFieldName } from './words.tsx'
import styles from './Campaigns.module.css'

type Props = {
  readonly content: CampaignContent
  /** Segments as the server knows them; those chosen since are named by {@link Props.onSegment}. */
  readonly segments: readonly CampaignSegment[]
  readonly onSegment: (segment: CampaignSegment) => void
  readonly onChange: (to: Pick<CampaignContent, 'segmentIds' | 'userIds'>) => void
}

/** Chips of people shown; more are counted. */
const SHOWN = 12
/** Tells a segment from a person among what was found. */
const SEGMENT = 's '

/** Whom it goes to: segments and people, each of which can be removed. */
export function Recipients({ content, segments, onSegment, onChange }: Props) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { segmentIds, userIds } = content
  const shown = userIds.slice(0, SHOWN)
  const names = useNames(shown)
  return (
    <div className={styles['chips']} role="group" aria-label={t('to')}>
      {segmentIds.map((id) => {
        const segment = segments.find((each) => each.id === id)
        const name = segment?.name ?? id
        const text = segment === undefined ? name : `${name} ${formats.number(segment.size)}`
        return (
          <PillOn
            key={id}
            sign={<Icon name="segments" size={15} />}
            text={text}
            label={t('removeTo', { name })}
            onRemove={() => onChange({ userIds, segmentIds: segmentIds.filter((each) => each !== id) })}
          />
        )
      })}
      {shown.map((id, index) => (
        <PillOn
          key={id}
          sign={<Portrait userId={id} size={18} />}
          text={names[index] ?? id}
          label={t('removeTo', { name: names[index] ?? id })}
          onRemove={() => onChange({ segmentIds, userIds: userIds.filter((each) => each !== id) })}
        />
      ))}
      {userIds.length > SHOWN ? (
        <span className={styles['quiet']}>{t('morePeople', { count: userIds.length - SHOWN })}</span>
      ) : null}
      <PopoverPill icon="plus" text={t('addTo')}>
        {() => <Adding content={content} onSegment={onSegment} onChange={onChange} />}
      </PopoverPill>
    </div>
  )
}

function Adding({ content, onSegment, onChange }: Omit<Props, 'segments'>) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const [signs] = useState(() => new Map<string, CampaignSegment>())
  const { segmentIds, userIds } = content
  const [find] = useState(() => async (text: string): Promise<readonly Found[]> => {
    const found = await dispatch(findAudience(text))
    if (!found.ok) return []
    for (const { id, name, kind, size } of found.value.segments) {
      signs.set(`${SEGMENT}${id}`, { id, name: name === '' ? id : name, type: kind, size })
    }
    return [
      ...found.value.segments.map(({ id, name }) => ({ id: `${SEGMENT}${id}`, name: name === '' ? id : name })),
      ...found.value.people.map(({ id, name }) => ({ id: `p ${id}`, name })),
    ]
  })
  const limits = {
    segments: t('limits.segments', { count: segmentIds.length, most: CAMPAIGN_SEGMENTS }),
    people: t('limits.people', { count: userIds.length, most: CAMPAIGN_PEOPLE }),
  }
  const choose = ({ id: key, name }: Found): void => {
    const segment = signs.get(key)
    const id = key.slice(SEGMENT.length)
    const isSegment = segment !== undefined
    if (isSegment ? segmentIds.length >= CAMPAIGN_SEGMENTS : userIds.length >= CAMPAIGN_PEOPLE) {
      return announce(isSegment ? limits.segments : limits.people)
    }
    if ((isSegment ? segmentIds : userIds).includes(id)) return
    if (isSegment) onSegment(segment)
    onChange(isSegment ? { userIds, segmentIds: [...segmentIds, id] } : { segmentIds, userIds: [...userIds, id] })
    announce(t('added', { name }))
  }
  return (
    <div className={styles['adding']}>
      <FindList
        label={t('addTo')}
        find={find}
        renderSign={(key) =>
          key.startsWith(SEGMENT) ? (
            <Icon name="segments" size={18} />
          ) : (
            <Portrait userId={key.slice(SEGMENT.length)} size={22} />
          )
        }
        searching={t('searching')}
        nothing={t('nothingFound')}
        onChoose={choose}
      />
      <p className={styles['hint']}>
        {limits.segments}
        <br />
        {limits.people}
      </p>
    </div>
  )
}

type SenderDialogProps = { readonly onClose: () => void; readonly onChoose: (id: string) => void }

/** Anyone of the workspace can be the sender. */
export function SenderDialog({ onClose, onChoose }: SenderDialogProps) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [find] = useState(() => async (text: string): Promise<readonly Found[]> => {
    const found = await dispatch(findAudience(text))
    return found.ok ? found.value.people : []
  })
  return (
    <Dialog
      width={420}
      title={t('sender.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('cancel')}</Button>}
    >
      <FindList
        label={t('sender.find')}
        find={find}
        renderSign={(id) => <Portrait userId={id} size={22} />}
        searching={t('searching')}
        nothing={t('nothingFound')}
        onChoose={({ id }) => onChoose(id)}
      />
    </Dialog>
  )
}

type MessageFieldProps = {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Which fields have a value: without a channel there is no name of it, in a channel for all there is no reader. */
  readonly owners: readonly TemplateField['owner'][]
  readonly error?: string
  readonly hint?: string
}

type Inserting = Pick<TemplateField, 'owner' | 'name'> & { readonly own?: boolean }

/** The text, with a menu of the fields that can stand in it. */
export function MessageField({ text, onChange, owners, error, hint }: MessageFieldProps) {
  const t = useTexts('campaigns')
  const nameOf = useFieldName()
  const field = useRef<HTMLTextAreaElement>(null)
  const [inserting, setInserting] = useState<Inserting>()
  const used = fieldsOf(text)
  const items = (): readonly MenuItem[] =>
    owners.flatMap((owner): readonly MenuItem[] => [
      { kind: 'heading', id: owner, content: t(`owners.${owner}`) },
      ...KNOWN_FIELDS.filter((each) => each.owner === owner).map((each) => ({
        id: fieldKey(each),
        label: nameOf(each),
        onSelect: () => setInserting(each),
      })),
      ...(owner === 'receiver'
        ? [{ id: 'own', label: t('fields.custom'), onSelect: () => setInserting({ owner, name: '', own: true }) }]
        : []),
    ])
  const insert = (written: string): void => {
    const { current } = field
    const [from, to] = [current?.selectionStart ?? text.length, current?.selectionEnd ?? text.length]
    onChange(`${text.slice(0, from)}${written}${text.slice(to)}`)
    setInserting(undefined)
    requestAnimationFrame(() => {
      current?.focus()
      current?.setSelectionRange(from + written.length, from + written.length)
    })
  }
  return (
    <div className={styles['message']}>
      <TextArea
        ref={field}
        label={t('message')}
        rows={6}
        maxLength={MAX_MESSAGE_LENGTH}
        value={text}
        error={error}
        hint={hint}
        onChange={onChange}
      />
      <div className={styles['chips']}>
        <MenuPill icon="braces" text={t('insert')} items={items} />
        {used.map((each) => (
          <span key={fieldKey(each)} className={styles['fieldChip']}>
            {each.fallback === ''
              ? t('fields.without', { field: nameOf(each) })
              : t('fields.with', { field: nameOf(each), fallback: each.fallback })}
          </span>
        ))}
      </div>
      {inserting === undefined ? null : (
        <FieldDialog field={inserting} onClose={() => setInserting(undefined)} onInsert={insert} />
      )}
    </div>
  )
}

type DialogProps = {
  readonly field: Inserting
  readonly onClose: () => void
  readonly onInsert: (written: string) => void
}

/** Which field, and what is written for those who have no value. */
function FieldDialog({ field, onClose, onInsert }: DialogProps) {
  const t = useTexts('campaigns')
  const fieldName = useFieldName()
  const [name, setName] = useState(field.name)
  const [fallback, setFallback] = useState('')
  const formMessage = useRemark((own: 'name') => t(`fieldDialog.${own}Wrong`))
  const submit = (): void => {
    if (!isFieldWritable(name.trim())) return formMessage.show('name')
    onInsert(writeField({ owner: field.owner, name: name.trim(), fallback }))
  }
  return (
    <FormDialog
      title={field.own === true ? t('fields.custom') : fieldName(field)}
      confirm={t('fieldDialog.confirm')}
      error={formMessage.text}
      onSubmit={submit}
      onClose={onClose}
    >
      {field.own === true ? (
        <TextField
          label={t('fieldDialog.name')}
          hint={t('fieldDialog.nameHint')}
          value={name}
          maxLength={64}
          autoComplete="off"
          onChange={(next) => {
            formMessage.clear()
            setName(next)
          }}
        />
      ) : null}
      <TextField
        label={t('fieldDialog.fallback')}
        hint={t('fieldDialog.fallbackHint')}
        value={fallback}
        maxLength={100}
        autoComplete="off"
        onChange={setFallback}
      />
    </FormDialog>
  )
}
