import { useState } from 'react'
import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useMe } from '../../../store/hooks.ts'
import type { Dialog as DialogKind } from '../../../store/window/kinds.ts'
import { dialogOpened, routeOpened, searchOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { useMayManage } from '../state.ts'
import { exportPerson, restorePeople, showExported } from './commands.ts'
import styles from './Directory.module.css'

type DoorsProps = {
  readonly person: DirectoryPerson
  readonly isLocal: boolean
  /** Another page is about to be opened: going back returns to the person. */
  readonly onLeave: () => void
}

/** What can be done; what cannot be undone comes last, apart. */
export function Doors({ person, isLocal, onLeave }: DoorsProps) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const isMe = useMe()?.id === person.id
  const { id, deactivatedAt, deletedAt } = person
  const open = (dialog: DialogKind) => (): void => void dispatch(dialogOpened(dialog))
  const restore = async (): Promise<void> => {
    const done = await dispatch(restorePeople({ userIds: [id] }))
    if (done.ok) announce(t('delete.restored', { person: person.name }))
  }
  if (deletedAt !== undefined) {
    return (
      <div className={styles['part']}>
        <Door icon="undo" text={t('delete.restore')} onPress={() => void restore()} />
      </div>
    )
  }
  return (
    <>
      <Links userId={id} onLeave={onLeave} />
      <div className={styles['part']}>
        {isLocal && deactivatedAt === undefined ? (
          <Door icon="key" text={t('token.open')} onPress={open({ kind: 'issue-token', userId: id })} />
        ) : null}
        <Door icon="logout" text={t('signOut.open')} onPress={open({ kind: 'sign-out-person', userId: id })} />
        <ExportDoor person={person} />
      </div>
      {isMe ? null : (
        <div className={styles['part']}>
          {deactivatedAt === undefined ? (
            <Door
              icon="user-x"
              text={t('deactivate.open')}
              end={t('deactivate.undo')}
              onPress={open({ kind: 'deactivate-people', userIds: [id] })}
            />
          ) : (
            <Door
              icon="user-plus"
              text={t('reactivate.open')}
              onPress={open({ kind: 'reactivate-people', userIds: [id] })}
            />
          )}
          <Door
            danger
            icon="trash"
            text={t('delete.person')}
            onPress={open({ kind: 'delete-people', userIds: [id] })}
          />
        </div>
      )}
    </>
  )
}

/** Other pages about the person. */
function Links({ userId, onLeave }: Pick<DoorsProps, 'onLeave'> & { readonly userId: UserId }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const hasHistory = useMayManage('history')
  const mayReview = useMayManage('review')
  // Whose rules are known: a server of our own kind, which is also the one that keeps a history.
  const mayCheck = useMayManage('roles') && hasHistory
  const follow = (open: Parameters<typeof dispatch>[0]) => (): void => {
    onLeave()
    dispatch(open)
  }
  const toPage = (page: 'history' | 'bans' | 'roles') => follow(routeOpened({ view: 'manage', page, id: userId }))
  return (
    <div className={styles['part']}>
      {hasHistory ? <Door icon="history" text={t('doors.history')} leads onPress={toPage('history')} /> : null}
      {mayReview ? <Door icon="ban" text={t('doors.bans')} leads onPress={toPage('bans')} /> : null}
      {mayCheck ? (
        <Door icon="key" text={t('doors.rights')} end={t('doors.rightsWhere')} leads onPress={toPage('roles')} />
      ) : null}
      <Door
        icon="search"
        text={t('doors.messages')}
        leads
        onPress={follow(searchOpened({ text: '', chips: [`from:${userId}`], tab: 'messages' }))}
      />
    </div>
  )
}

type DoorProps = {
  readonly icon: IconName
  readonly text: string
  readonly end?: string
  readonly danger?: boolean
  readonly working?: boolean
  /** Opens another page. */
  readonly leads?: boolean
  readonly onPress: () => void
}

function Door({ icon, text, end, danger = false, working = false, leads = false, onPress }: DoorProps) {
  return (
    <button
      type="button"
      className={styles['door']}
      data-danger={danger || undefined}
      aria-busy={working || undefined}
      onClick={working ? undefined : onPress}
    >
      <Icon name={icon} size={17} />
      {text}
      {end === undefined && !leads ? null : (
        <span className={styles['doorEnd']}>
          {end}
          {leads ? <Icon name="chevron-right" size={15} /> : null}
        </span>
      )}
    </button>
  )
}

/** Everything about the person in a file, with the place where it was saved. */
function ExportDoor({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedFile>()
  const formMessage = useRemark()
  const run = async (): Promise<void> => {
    setWorking(true)
    formMessage.clear()
    const answer = await dispatch(exportPerson({ userId: person.id }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    setSaved(answer.value.saved)
  }
  return (
    <>
      <Door icon="download" text={t('export.open')} working={working} onPress={() => void run()} />
      <div role="status" className={styles['hint']}>
        {saved === undefined
          ? null
          : t('export.saved', { count: saved.messages, file: saved.fileName, folder: saved.folderName })}
      </div>
      {saved === undefined ? null : (
        <Button size="small" onClick={() => void dispatch(showExported())}>
          {t('export.show')}
        </Button>
      )}
      <Refusal text={formMessage.text} />
    </>
  )
}
