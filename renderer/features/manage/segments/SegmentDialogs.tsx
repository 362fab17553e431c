import { useState, useMemo } from 'react'
import { SEGMENT_KINDS, SEGMENT_LIMITS, type Segment, type SegmentKind } from '#shared/domain/manage/segments.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments, Radios } from '../../../ui/Choice/Choice.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Question } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { FindList } from '../FindList.tsx'
import { changeSegment, createSegment, loadUses, removeSegment, addTargets, loadSegments } from './drafts.ts'
import { useCount } from './Who.tsx'
import styles from './Segments.module.css'

/** What a segment is made of. */
const MADE_BY = ['filter', 'list', 'all'] as const
type MadeBy = (typeof MADE_BY)[number]

type CreateProps = {
  readonly onClose: () => void
  readonly onCreated: (segment: Segment, by: MadeBy) => void
}

/** What was typed stays when the server refuses it. A segment of everybody has to be typed. */
export function CreateSegmentDialog({ onClose, onCreated }: CreateProps) {
  const t = useTexts('segments')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [kind, setKind] = useState<SegmentKind>('user')
  const [by, setBy] = useState<MadeBy>('filter')
  const [details, setDetails] = useState({ name: '', description: '' })
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const remark = useRemark((own: 'nameMissing' | 'typeIt') => t(`create.${own}`, { word: t('create.word') }))
  const asksWord = by === 'all' && kind === 'user'
  const submit = async (): Promise<void> => {
    const [name, description] = [details.name.trim(), details.description.trim()]
    if (offline || working) return
    if (isBlank(name)) return remark.show('nameMissing')
    if (asksWord && typed.trim().toLowerCase() !== t('create.word')) return remark.show('typeIt')
    setWorking(true)
    const about = description === '' ? {} : { description }
    const made = await dispatch(createSegment({ kind, name, ...about, all: by === 'all' }))
    setWorking(false)
    if (!made.ok) return remark.refuse(made.error)
    announce(t('create.done', { name }))
    onClose()
    onCreated(made.value, by)
  }
  return (
    <Dialog
      width={480}
      title={t('create.title')}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('create.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Details
          details={details}
          onChange={(next) => {
            remark.clear()
            setDetails(next)
          }}
        />
        <div>
          <Segments
            label={t('kind')}
            value={kind}
            choices={SEGMENT_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onChange={setKind}
          />
        </div>
        <MadeOf
          kind={kind}
          by={by}
          onChange={(next) => {
            remark.clear()
            setBy(next)
          }}
        />
        {asksWord ? (
          <Everybody
            typed={typed}
            onTyped={(next) => {
              remark.clear()
              setTyped(next)
            }}
          />
        ) : null}
        <Refusal text={remark.text} />
      </div>
    </Dialog>
  )
}

function MadeOf(props: { readonly kind: SegmentKind; readonly by: MadeBy; readonly onChange: (by: MadeBy) => void }) {
  const { kind, by, onChange } = props
  const t = useTexts('segments')
  const choices = MADE_BY.map((value) => ({
    value,
    label: t(`create.by.${kind}.${value}`),
    hint: t(`create.byHint.${kind}.${value}`),
  }))
  return <Radios label={t('create.madeOf')} value={by} choices={choices} onChange={onChange} hintsBelow />
}

/** How many people everyone is, and the word that has to be typed for them. */
function Everybody({ typed, onTyped }: { readonly typed: string; readonly onTyped: (text: string) => void }) {
  const t = useTexts('segments')
  const { count, isWhole } = useCount({ kind: 'user', filter: '{}', all: true })
  return (
    <>
      <p className={styles['hint']} role="status">
        {count === undefined
          ? t('size.counting')
          : t(isWhole ? 'create.everybody' : 'create.everybodyAtLeast', { count })}
      </p>
      <TextField
        label={t('create.type', { word: t('create.word') })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={onTyped}
      />
    </>
  )
}

type DetailsProps = {
  readonly details: { readonly name: string; readonly description: string }
  readonly onChange: (details: DetailsProps['details']) => void
}

/** Name and description, with what is left of their limits. */
function Details({ details, onChange }: DetailsProps) {
  const t = useTexts('segments')
  const left = (field: 'name' | 'description'): string | undefined => {
    const count = SEGMENT_LIMITS[field] - details[field].length
    return count > SEGMENT_LIMITS[field] / 5 ? undefined : t('left', { count })
  }
  return (
    <>
      <TextField
        label={t('name')}
        value={details.name}
        maxLength={SEGMENT_LIMITS.name}
        hint={left('name')}
        autoComplete="off"
        onChange={(name) => onChange({ ...details, name })}
      />
      <TextArea
        label={t('description')}
        optional={t('optional')}
        value={details.description}
        maxLength={SEGMENT_LIMITS.description}
        hint={left('description')}
        onChange={(description) => onChange({ ...details, description })}
      />
    </>
  )
}

type RenameProps = { readonly segment: Segment; readonly onClose: () => void }

export function RenameSegmentDialog({ segment, onClose }: RenameProps) {
  const t = useTexts('segments')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, version } = segment
  const [details, setDetails] = useState({ name: segment.name, description: segment.description })
  const [working, setWorking] = useState(false)
  const remark = useRemark((own: 'nameMissing') => t(`create.${own}`))
  const submit = async (): Promise<void> => {
    const [name, description] = [details.name.trim(), details.description.trim()]
    if (offline || working) return
    if (isBlank(name)) return remark.show('nameMissing')
    setWorking(true)
    const done = await dispatch(changeSegment({ id, version, name, description }))
    setWorking(false)
    if (!done.ok) return remark.refuse(done.error)
    announce(t('saved'))
    onClose()
  }
  return (
    <Dialog
      width={440}
      title={t('rename.title')}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Details
          details={details}
          onChange={(next) => {
            remark.clear()
            setDetails(next)
          }}
        />
        <Refusal text={remark.text} />
      </div>
    </Dialog>
  )
}

type DeleteProps = { readonly segment: Segment; readonly onClose: () => void; readonly onDeleted: () => void }

/** Says which campaigns send to it. */
export function DeleteSegmentDialog({ segment: { id, name, kind }, onClose, onDeleted }: DeleteProps) {
  const t = useTexts('segments')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [load] = useState(() => loadUses({ id }))
  const uses = useLoaded(load).value ?? []
  const campaigns = formats.list(uses.slice(0, NAMED).map((use) => use.name))
  return (
    <Question
      title={t('delete.title', { name: name === '' ? id : name })}
      texts={[
        t(`delete.text.${kind}`),
        ...(uses.length === 0 ? [] : [t('delete.uses', { count: uses.length, campaigns })]),
      ]}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name })}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(removeSegment({ id }))}
      onClose={onClose}
      onDone={onDeleted}
    />
  )
}

/** Campaigns that are named. */
const NAMED = 3

/** People who were picked elsewhere are added to the list of a segment. */
export function AddToSegment({ userIds }: { readonly userIds: readonly UserId[] }) {
  const t = useTexts('segments')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const remark = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const find = useMemo(
    () => async (text: string) => {
      const loaded = await dispatch(loadSegments({ find: text, kind: 'user' }))
      const open = loaded.ok ? loaded.value.segments.filter(({ all }) => !all) : []
      return open.map(({ id, name }: Segment) => ({ id, name: name === '' ? id : name }))
    },
    [dispatch],
  )
  const add = async (id: string, name: string): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    const done = await dispatch(addTargets({ id, targetIds: userIds }))
    setWorking(false)
    if (!done.ok) return remark.refuse(done.error)
    announce(t('addPicked.done', { count: userIds.length, name }))
    close()
  }
  return (
    <Dialog
      width={400}
      title={t('addPicked.title', { count: userIds.length })}
      onClose={close}
      hint={offline ? t('offline') : undefined}
      actions={<Button onClick={close}>{common('cancel')}</Button>}
    >
      <FindList
        label={t('find')}
        find={find}
        renderSign={() => <Icon name="segments" size={16} />}
        searching={t('searching')}
        nothing={t('noneFound')}
        onChoose={({ id, name }) => void add(id, name)}
      />
      <Refusal text={remark.text} />
    </Dialog>
  )
}
