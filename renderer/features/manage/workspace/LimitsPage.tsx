import {
  ACTION_HANDLER,
  LONGEST_HANDLER,
  type UploadLimits,
  type WorkspaceLimits,
} from '#shared/domain/manage/workspace.ts'
import { useTexts } from '../../../i18n/index.ts'
import { itemsIn } from '../../../lib/text/lists.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Listed, Page } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { changeLimits, loadLimits } from './commands.ts'
import { FieldRow, Group, isWithin, Row, SwitchRow } from './Rows.tsx'
import styles from './Workspace.module.css'

type Props = { readonly onBack?: () => void }

const LIMITS = loadLimits()

/** Which files are accepted, who may come in, and other settings of the whole workspace. */
export function LimitsPage({ onBack }: Props) {
  const t = useTexts('workspace')
  const loaded = useLoaded(LIMITS, useTopic('settings'))
  const { value } = loaded
  return (
    <Page icon="settings" title={t('limits.title')} onBack={onBack}>
      <Listed
        list={{ ...loaded, rows: value === undefined ? [] : [value] }}
        empty={{ scene: 'lines', title: t('limits.title') }}
      >
        {value === undefined ? null : (
          <div className={styles['page']} data-region="messages">
            <Uploads which="image" limits={value.image} />
            <Uploads which="file" limits={value.file} />
            <People limits={value} />
            <Others limits={value} />
          </div>
        )}
      </Listed>
    </Page>
  )
}

const MEGABYTE = 1_048_576
const MOST_MEGABYTES = 4_096
const LISTS = ['allowedExtensions', 'blockedExtensions', 'allowedTypes', 'blockedTypes'] as const
const MOST_ITEMS = 500
const LONGEST_ITEM = 100

type UploadsProps = { readonly which: 'image' | 'file'; readonly limits: UploadLimits }

function Uploads({ which, limits }: UploadsProps) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const tooMuch = (text: string): boolean => {
    const items = itemsIn(text)
    return items.length > MOST_ITEMS || items.some((item) => item.length > LONGEST_ITEM)
  }
  return (
    <Group title={t(`limits.${which}`)}>
      <FieldRow
        label={t('limits.size')}
        hint={t('limits.sizeHint')}
        saved={String(Math.max(1, Math.round(limits.maxBytes / MEGABYTE)))}
        numeric
        faultOf={(text) => (isWithin(text, 1, MOST_MEGABYTES) ? undefined : t('limits.sizeWrong'))}
        onSave={(text) => dispatch(changeLimits({ [which]: { maxBytes: Number(text) * MEGABYTE } }))}
      />
      {LISTS.map((list) => (
        <FieldRow
          key={list}
          label={t(`limits.${list}`)}
          hint={t(list.endsWith('Types') ? 'limits.typesHint' : 'limits.extensionsHint')}
          saved={limits[list].join(', ')}
          mono
          faultOf={(text) => (tooMuch(text) ? t('limits.tooLong') : undefined)}
          onSave={(text) => dispatch(changeLimits({ [which]: { [list]: itemsIn(text) } }))}
        />
      ))}
    </Group>
  )
}

const UNIQUE = ['no', 'app', 'team'] as const
const SWITCHES = ['guests', 'anonymous', 'separateTeams'] as const

function People({ limits }: { readonly limits: WorkspaceLimits }) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  return (
    <Group title={t('limits.people')}>
      {SWITCHES.map((name) => {
        const on = limits[name]
        if (on === undefined) return null
        return (
          <SwitchRow
            key={name}
            title={t(`limits.${name}`)}
            hint={t(`limits.${name}Hint`)}
            on={on}
            onChange={(next) => dispatch(changeLimits({ [name]: next }))}
          />
        )
      })}
      {limits.uniqueNames === undefined ? null : (
        <Row title={t('limits.uniqueNames')} hint={t('limits.uniqueNamesHint')}>
          <Segments
            label={t('limits.uniqueNames')}
            value={limits.uniqueNames}
            choices={UNIQUE.map((value) => ({ value, label: t(`limits.unique.${value}`) }))}
            onChange={(uniqueNames) => void dispatch(changeLimits({ uniqueNames }))}
          />
        </Row>
      )}
    </Group>
  )
}

const MOST_DAYS = 3_650
const INTERVAL = { least: 60, most: 86_400 } as const

function Others({ limits }: { readonly limits: WorkspaceLimits }) {
  const t = useTexts('workspace')
  const dispatch = useAppDispatch()
  const { linkDays, remindersInterval, actionHandler } = limits
  if ([linkDays, remindersInterval, actionHandler].every((value) => value === undefined)) return null
  return (
    <Group title={t('limits.other')}>
      {linkDays === undefined ? null : (
        <FieldRow
          label={t('limits.linkDays')}
          hint={t('limits.linkDaysHint')}
          saved={String(linkDays)}
          numeric
          faultOf={(text) => (isWithin(text, 1, MOST_DAYS) ? undefined : t('limits.daysWrong'))}
          onSave={(text) => dispatch(changeLimits({ linkDays: Number(text) }))}
        />
      )}
      {remindersInterval === undefined ? null : (
        <FieldRow
          label={t('limits.remindersInterval')}
          hint={t('limits.remindersIntervalHint')}
          saved={String(remindersInterval)}
          numeric
          faultOf={(text) => (isWithin(text, INTERVAL.least, INTERVAL.most) ? undefined : t('limits.intervalWrong'))}
          onSave={(text) => dispatch(changeLimits({ remindersInterval: Number(text) }))}
        />
      )}
      {actionHandler === undefined ? null : (
        <FieldRow
          label={t('limits.actionHandler')}
          hint={t('limits.actionHandlerHint')}
          saved={actionHandler}
          mono
          faultOf={(text) =>
            ACTION_HANDLER.test(text) && text.length <= LONGEST_HANDLER ? undefined : t('limits.handlerWrong')
          }
          onSave={(text) => dispatch(changeLimits({ actionHandler: text }))}
        />
      )}
    </Group>
  )
}
