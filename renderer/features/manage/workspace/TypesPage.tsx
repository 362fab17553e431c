import { useMemo, useState } from 'react'
import type { ChannelKind } from '#shared/domain/manage/workspace.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Listed, NewButton, Page, Question } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { changeType, createType, loadCommands, loadTypes, removeType } from './commands.ts'
import { FieldRow, Group, isWithin, SwitchRow } from './Rows.tsx'
import styles from './Workspace.module.css'

type Props = { readonly onBack?: () => void }

const TYPES = loadTypes()
const COMMANDS = loadCommands()

/** What can be done in the channels of each type. */
export function TypesPage({ onBack }: Props) {
  const t = useTexts('workspace')
  const formats = useFormats()
  const loaded = useLoaded(TYPES, useTopic('settings'))
  const [chosen, setChosen] = useState<string>()
  const [dialog, setDialog] = useState<'new' | 'delete'>()
  const dispatch = useAppDispatch()
  const types = useMemo(
    () => loaded.value?.toSorted((a, b) => formats.compare(a.name, b.name)) ?? [],
    [loaded.value, formats],
  )
  const type = types.find(({ name }) => name === (chosen ?? 'team')) ?? types[0]
  const close = (): void => setDialog(undefined)
  return (
    <Page
      icon="hash"
      title={t('types.title')}
      onBack={onBack}
      actions={
        loaded.value === undefined ? undefined : (
          <NewButton onClick={() => setDialog('new')}>{t('types.create')}</NewButton>
        )
      }
      filters={
        type === undefined ? undefined : (
          <>
            <Select
              label={t('types.type')}
              value={type.name}
              choices={types.map(({ name }) => ({ value: name, label: name }))}
              onChange={setChosen}
            />
            {type.builtIn === true ? (
              <span className={styles['aside']}>{t('types.builtIn')}</span>
            ) : (
              <Button size="small" variant="quiet" icon="trash" onClick={() => setDialog('delete')}>
                {t('types.delete')}
              </Button>
            )}
          </>
        )
      }
    >
      <Listed list={{ ...loaded, rows: types }} empty={{ scene: 'lines', title: t('types.none') }}>
        {type === undefined ? null : <TypeSettings key={type.name} type={type} />}
      </Listed>
      {dialog === 'new' ? (
        <NewTypeDialog
          names={types.map(({ name }) => name)}
          onMade={(name) => {
            setChosen(name)
            close()
          }}
          onClose={close}
        />
      ) : null}
      {dialog === 'delete' && type !== undefined ? (
        <Question
          title={t('types.deleteTitle', { name: type.name })}
          texts={[t('types.deleteText')]}
          confirm={t('types.deleteConfirm')}
          done={t('types.deleted')}
          onConfirm={() => dispatch(removeType({ name: type.name }))}
          onClose={close}
        />
      ) : null}
    </Page>
  )
}

const LONGEST = 20_000
const MOST_DAYS = 99_999

function TypeSettings({ type }: { readonly type: ChannelKind }) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const { name } = type
  return (
    <div className={styles['page']} data-region="messages">
      <p className={styles['intro']}>{t('types.intro')}</p>
      <Group title={t('types.features')}>
        {type.switches.map((each) => (
          <SwitchRow
            key={each}
            title={t(`switches.${each}.title`)}
            hint={t(`switches.${each}.hint`)}
            on={type.on.includes(each)}
            onChange={(on) => dispatch(changeType({ name, switches: { [each]: on } }))}
          />
        ))}
      </Group>
      <Group title={t('types.limits')}>
        <FieldRow
          label={t('types.length')}
          hint={t('types.lengthHint')}
          saved={String(type.maxLength)}
          numeric
          faultOf={(text) => (isWithin(text, 1, LONGEST) ? undefined : t('types.lengthWrong'))}
          onSave={(text) => dispatch(changeType({ name, maxLength: Number(text) }))}
        />
        {type.retention === undefined ? null : (
          <FieldRow
            label={t('types.retention')}
            hint={t('types.retentionHint')}
            saved={type.retention === 'infinite' ? '' : type.retention}
            numeric
            faultOf={(text) => (text === '' || isWithin(text, 1, MOST_DAYS) ? undefined : t('types.retentionWrong'))}
            onSave={(text) => dispatch(changeType({ name, retention: text === '' ? 'infinite' : text }))}
          />
        )}
      </Group>
      <Commands type={type} />
    </div>
  )
}

/** Which of the workspace's commands are offered in the type. */
function Commands({ type }: { readonly type: ChannelKind }) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const { value } = useLoaded(COMMANDS, useTopic('settings'))
  const all = value?.commands ?? []
  // The whole list is sent: a second switch must count with the first, although the server has not answered it yet.
  const [chosen, setChosen] = useState<readonly string[]>()
  if (chosen !== undefined && isSame(chosen, type.commands)) setChosen(undefined)
  if (all.length === 0) return null
  const offered = new Set(chosen ?? type.commands)
  const change = async (name: string, on: boolean): Promise<void> => {
    const names = all.map((each) => each.name).filter((each) => (each === name ? on : offered.has(each)))
    setChosen(names)
    const commands = names.length === all.length ? ['all'] : names
    const changed = await dispatch(changeType({ name: type.name, commands }))
    if (!changed.ok) setChosen(undefined)
  }
  return (
    <Group title={t('types.commands')}>
      <p className={styles['intro']}>{t('types.commandsHint')}</p>
      {all.map(({ name, description }) => (
        <SwitchRow
          key={name}
          title={`/${name}`}
          hint={description}
          on={offered.has(name)}
          onChange={(on) => change(name, on)}
        />
      ))}
    </Group>
  )
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each))

type NewTypeProps = {
  readonly names: readonly string[]
  readonly onMade: (name: string) => void
  readonly onClose: () => void
}

function NewTypeDialog({ names, onMade, onClose }: NewTypeProps) {
  const t = useTexts('workspace')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  const create = async (): Promise<void> => {
    const wanted = name.trim()
    if (!isPlainName(wanted)) return setError(t('nameWrong'))
    if (names.includes(wanted)) return setError(errorText({ code: 'workspace/exists' }))
    if (offline) return setError(t('offline'))
    setWorking(true)
    const made = await dispatch(createType({ name: wanted }))
    setWorking(false)
    if (!made.ok) return setError(errorText(made.error))
    announce(t('types.created'))
    onMade(wanted)
  }
  return (
    <Dialog
      width={400}
      title={t('types.create')}
      onClose={onClose}
      onSubmit={() => working || void create()}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('types.createConfirm')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('name')}
        hint={t('types.createHint')}
        value={name}
        error={error}
        maxLength={64}
        mono
        autoComplete="off"
        spellCheck={false}
        onChange={(value) => {
          setName(value)
          setError(undefined)
        }}
      />
    </Dialog>
  )
}
