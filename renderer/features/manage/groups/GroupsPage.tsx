import { useMemo, useState } from 'react'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { ok } from '#shared/lib/app-error.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { cx } from '../../../lib/cx.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Faces } from '../../people/index.ts'
import { Listed, NewButton, Page, useReturnToRow } from '../Page.tsx'
import { Question } from '../Question.tsx'
import { byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadGroups, createGroup, removeGroup } from './commands.ts'
import { GroupPanel } from './GroupPanel.tsx'
import styles from './Groups.module.css'

type Props = { readonly id?: string; readonly onBack?: () => void }

const idOf = ({ id }: UserGroup): string => id

/** People who can be mentioned together: listed, created, changed, deleted. */
export function GroupsPage({ id, onBack }: Props) {
  const t = useTexts('groups')
  const [find, setFind] = useState('')
  const [openId, setOpenId] = useState(id)
  const [asking, setAsking] = useState<'create' | 'delete'>()
  const list = useGroups(find.trim())
  const closePanel = useReturnToRow(openId, setOpenId)
  const columns = useColumns()
  const open = list.rows.find((group) => group.id === openId)
  return (
    <Page
      icon="at"
      title={t('title')}
      fact={list.rows.length === 0 ? undefined : t('fact', { count: list.rows.length })}
      onBack={onBack}
      actions={
        <NewButton variant="primary" onClick={() => setAsking('create')}>
          {t('create.open')}
        </NewButton>
      }
      filters={<FindField label={t('find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />}
      onClosePanel={closePanel}
      panel={
        open === undefined ? undefined : (
          <GroupPanel key={open.id} group={open} onClose={closePanel} onDelete={() => setAsking('delete')} />
        )
      }
    >
      <Listed
        list={list}
        empty={
          find.trim() === ''
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onEnd={list.next}
          openId={openId}
          onOpen={(group) => setOpenId(group.id)}
        />
      </Listed>
      {asking === 'create' ? (
        <CreateGroupDialog
          onClose={() => setAsking(undefined)}
          onCreated={(group) => {
            setFind('')
            setOpenId(group.id)
          }}
        />
      ) : null}
      {asking === 'delete' && open !== undefined ? (
        <DeleteGroupDialog group={open} onClose={() => setAsking(undefined)} onDeleted={() => setOpenId(undefined)} />
      ) : null}
    </Page>
  )
}

function useGroups(find: string) {
  const dispatch = useAppDispatch()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const loaded = await dispatch(loadGroups({ find, ...(after === undefined ? {} : { after }) }))
        return loaded.ok ? ok({ rows: loaded.value.groups, next: loaded.value.next }) : loaded
      }),
    [dispatch, find],
  )
  return usePagesOf(load, find, useTopic('people'))
}

function useColumns(): readonly TableColumn<UserGroup>[] {
  const t = useTexts('groups')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        render: ({ id, name }) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{name}</bdi>
            <bdi className={cx(styles['second'], 'ellipsis')}>{id}</bdi>
          </span>
        ),
      },
      {
        id: 'members',
        title: t('columns.members'),
        width: 'minmax(110px, 1fr)',
        render: ({ members }) => (
          <span className={styles['members']}>
            <Faces userIds={members.map(({ userId }) => userId)} />
            {formats.number(members.length)}
          </span>
        ),
      },
      {
        id: 'description',
        title: t('columns.description'),
        width: 'minmax(120px, 2fr)',
        priority: 1,
        render: ({ description }) => <bdi>{description}</bdi>,
      },
      {
        id: 'created',
        title: t('columns.created'),
        width: '120px',
        priority: 2,
        render: ({ createdAt }) => (createdAt === undefined ? '' : formats.shortDate(createdAt)),
      },
    ],
    [t, formats],
  )
}

type CreateProps = { readonly onClose: () => void; readonly onCreated: (group: UserGroup) => void }

/** What was typed stays when the server refuses it. */
function CreateGroupDialog({ onClose, onCreated }: CreateProps) {
  const t = useTexts('groups')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [typed, setTyped] = useState({ name: '', id: '', description: '' })
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'nameMissing' | 'badId') => t(`create.${own}`))
  const change = (to: Partial<typeof typed>): void => {
    formMessage.clear()
    setTyped({ ...typed, ...to })
  }
  const submit = async (): Promise<void> => {
    const [name, id, description] = [typed.name.trim(), typed.id.trim(), typed.description.trim()]
    if (offline || working) return
    if (isBlank(name)) return formMessage.show('nameMissing')
    if (id !== '' && !isPlainName(id)) return formMessage.show('badId')
    setWorking(true)
    const made = await dispatch(
      createGroup({ name, ...(id === '' ? {} : { id }), ...(description === '' ? {} : { description }) }),
    )
    setWorking(false)
    if (!made.ok) return formMessage.refuse(made.error)
    announce(t('create.done', { name }))
    onClose()
    onCreated(made.value)
  }
  return (
    <Dialog
      width={440}
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
        <TextField
          label={t('name')}
          value={typed.name}
          maxLength={255}
          autoComplete="off"
          onChange={(name) => change({ name })}
        />
        <TextField
          label={t('create.id')}
          optional={t('create.optional')}
          hint={t('create.idHint')}
          mono
          value={typed.id}
          maxLength={64}
          autoComplete="off"
          onChange={(id) => change({ id })}
        />
        <TextArea
          label={t('description')}
          optional={t('create.optional')}
          value={typed.description}
          maxLength={1_024}
          onChange={(description) => change({ description })}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type DeleteProps = { readonly group: UserGroup; readonly onClose: () => void; readonly onDeleted: () => void }

function DeleteGroupDialog({ group: { id, name }, onClose, onDeleted }: DeleteProps) {
  const t = useTexts('groups')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  return (
    <Question
      title={t('delete.title', { name })}
      texts={[t('delete.text')]}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name })}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(removeGroup({ id }))}
      onClose={onClose}
      onDone={onDeleted}
    />
  )
}
