import { useMemo, useState } from 'react'
import type { WorkspaceCommand } from '#shared/domain/manage/workspace.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Listed, NewButton, Page, Question } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadCommands, removeCommand, saveCommand } from './commands.ts'
import styles from './Workspace.module.css'

type Props = { readonly onBack?: () => void }

const COMMANDS = loadCommands()

type Open = { readonly edit?: WorkspaceCommand } | { readonly remove: WorkspaceCommand }

/** Slash commands: those of the server, and own ones. */
export function CommandsPage({ onBack }: Props) {
  const t = useTexts('workspace')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const loaded = useLoaded(COMMANDS, useTopic('settings'))
  const [open, setOpen] = useState<Open>()
  const rows = useMemo(
    () => loaded.value?.commands.toSorted((a, b) => formats.compare(a.name, b.name)) ?? [],
    [loaded.value, formats],
  )
  const columns = useColumns(setOpen)
  const close = (): void => setOpen(undefined)
  return (
    <Page
      icon="slash"
      title={t('commands.title')}
      fact={rows.length === 0 ? undefined : t('commands.fact', { count: rows.length })}
      onBack={onBack}
      actions={
        loaded.value === undefined ? undefined : (
          <NewButton onClick={() => setOpen({})}>{t('commands.create')}</NewButton>
        )
      }
      foot={
        loaded.value === undefined ? undefined : (
          <p className={styles['note']}>
            <Icon name="info" size={15} />
            {t(loaded.value.runs ? 'commands.runs' : 'commands.notRun')} {t('commands.unknown')}
          </p>
        )
      }
    >
      <Listed list={{ ...loaded, rows }} empty={{ scene: 'lines', title: t('commands.none') }}>
        <Table
          label={t('commands.title')}
          columns={columns}
          rows={rows}
          idOf={({ name }) => name}
          onOpen={(edit) => setOpen({ edit })}
        />
      </Listed>
      {open !== undefined && 'remove' in open ? (
        <Question
          title={t('commands.deleteTitle', { name: open.remove.name })}
          texts={[t('commands.deleteText')]}
          confirm={t('commands.deleteConfirm')}
          done={t('commands.deleted')}
          onConfirm={() => dispatch(removeCommand({ name: open.remove.name }))}
          onClose={close}
        />
      ) : open === undefined ? null : (
        <CommandDialog command={open.edit} names={rows.map(({ name }) => name)} onClose={close} />
      )}
    </Page>
  )
}

function useColumns(onOpen: (open: Open) => void): readonly TableColumn<WorkspaceCommand>[] {
  const t = useTexts('workspace')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('commands.columns.name'),
        width: 'minmax(150px, 1fr)',
        render: ({ name, args }) => (
          <span dir="ltr">
            <b>/{name}</b> <bdi className={styles['aside']}>{args}</bdi>
          </span>
        ),
      },
      {
        id: 'description',
        title: t('commands.columns.description'),
        width: 'minmax(140px, 2fr)',
        priority: 1,
        render: ({ description }) => <bdi>{description}</bdi>,
      },
      {
        id: 'kind',
        title: t('commands.columns.kind'),
        width: '90px',
        priority: 2,
        render: ({ builtIn }) => t(builtIn ? 'commands.builtIn' : 'commands.own'),
      },
      {
        id: 'actions',
        title: t('commands.columns.actions'),
        width: '90px',
        render: (command) => (
          // A press on a button does not open the row as well.
          <span className={styles['buttons']} onClick={(event) => event.stopPropagation()} role="presentation">
            <IconButton
              icon="pencil"
              size="small"
              label={`${t('commands.edit')} /${command.name}`}
              onClick={() => onOpen({ edit: command })}
            />
            {command.builtIn ? null : (
              <IconButton
                icon="trash"
                size="small"
                label={`${t('commands.delete')} /${command.name}`}
                onClick={() => onOpen({ remove: command })}
              />
            )}
          </span>
        ),
      },
    ],
    [t, onOpen],
  )
}

type DialogProps = {
  /** Absent: a new one. */
  readonly command: WorkspaceCommand | undefined
  readonly names: readonly string[]
  readonly onClose: () => void
}

function CommandDialog({ command, names, onClose }: DialogProps) {
  const t = useTexts('workspace')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [name, setName] = useState(command?.name ?? '')
  const [description, setDescription] = useState(command?.description ?? '')
  const [args, setArgs] = useState(command?.args ?? '')
  const [errors, setErrors] = useState<{ name?: string; description?: string; args?: string }>({})
  const [working, setWorking] = useState(false)
  const isNew = command === undefined
  const save = async (): Promise<void> => {
    const wanted = name.trim()
    if (isNew && !isPlainName(wanted)) return setErrors({ name: t('nameWrong') })
    if (isNew && names.includes(wanted)) return setErrors({ name: errorText({ code: 'workspace/exists' }) })
    if (description.trim() === '') return setErrors({ description: t('commands.descriptionMissing') })
    if (offline) return setErrors({ args: t('offline') })
    setWorking(true)
    const saved = await dispatch(saveCommand({ name: wanted, description, args, isNew }))
    setWorking(false)
    if (!saved.ok) return setErrors({ args: errorText(saved.error) })
    announce(t(isNew ? 'commands.created' : 'saved'))
    onClose()
  }
  return (
    <Dialog
      width={440}
      title={isNew ? t('commands.create') : t('commands.editTitle', { name: command.name })}
      onClose={onClose}
      onSubmit={() => working || void save()}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t(isNew ? 'commands.createConfirm' : 'save')}
          </Button>
        </>
      }
    >
      {isNew ? (
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          value={name}
          error={errors.name}
          maxLength={64}
          mono
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => {
            setName(value)
            setErrors({})
          }}
        />
      ) : null}
      <TextField
        label={t('commands.description')}
        hint={t('commands.descriptionHint')}
        value={description}
        error={errors.description}
        maxLength={500}
        onChange={(value) => {
          setDescription(value)
          setErrors({})
        }}
      />
      <TextField
        label={t('commands.args')}
        hint={t('commands.argsHint')}
        value={args}
        error={errors.args}
        maxLength={500}
        onChange={(value) => {
          setArgs(value)
          setErrors({})
        }}
      />
    </Dialog>
  )
}
