import { Suspense } from 'react'
import { AccountDialog, RenewDialog } from '../features/accounts/index.ts'
import { DeleteFolderDialog, FolderDialog, NewChannelDialog, NewDirectDialog } from '../features/channels/index.ts'
import { HistoryDialog } from '../features/drafts/index.ts'
import { ChannelQuestions } from '../features/channel/index.ts'
import { NoticeLog } from '../features/notices/index.ts'
import { LocationDialog } from '../features/locations/index.ts'
import { LevelDialog, WhyNotifiedDialog } from '../features/notifications/index.ts'
import { OpenPollsDialog, PollDialog } from '../features/polls/index.ts'
import { BanDialog, MuteDialog, PersonDialog, ReportDialog } from '../features/profile/index.ts'
import { ReminderDialog } from '../features/reminders/index.ts'
import {
  CreateWorkspaceDialog,
  DeleteDemoDialog,
  ElsewhereDialog,
  OpenAsDialog,
  SignOutDialog,
} from '../features/session/index.ts'
import { ExportDialog, NetworkDialog, ShortcutSheet } from '../features/settings/index.ts'
import { Switcher, SwitcherWaiting } from '../features/switcher/index.ts'
import { WhyUnreadDialog } from '../features/unread/index.ts'
import { useAppSelector } from '../store/hooks.ts'
import { useShortcutGroups, useSwitcherActions } from './use-shortcuts.ts'

/** The dialog the state asks for; one at a time. */
export function DialogHost() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'switcher':
      return <TheSwitcher />
    case 'shortcuts':
      return <TheSheet />
    case 'new-channel':
      return <NewChannelDialog />
    case 'new-direct':
      return <NewDirectDialog />
    case 'open-as':
      return <OpenAsDialog adding={dialog.adding ?? false} />
    case 'create-workspace':
      return <CreateWorkspaceDialog />
    case 'delete-demo':
      return <DeleteDemoDialog />
    case 'sign-out':
      return <SignOutDialog account={dialog.key} />
    case 'account':
      return <AccountDialog account={dialog.key} />
    case 'renew':
      return <RenewDialog account={dialog.key} />
    case 'network':
      return <NetworkDialog />
    case 'notice-log':
      return <NoticeLog />
    case 'export':
      return <ExportDialog cid={dialog.cid} />
    case 'poll':
      return (
        <Suspense fallback={null}>
          <PollDialog cid={dialog.cid} />
        </Suspense>
      )
    case 'location':
      return (
        <Suspense fallback={null}>
          <LocationDialog cid={dialog.cid} />
        </Suspense>
      )
    case 'open-polls':
      return (
        <Suspense fallback={null}>
          <OpenPollsDialog />
        </Suspense>
      )
    case 'draft-history':
      return (
        <Suspense fallback={null}>
          <HistoryDialog of={dialog.of} />
        </Suspense>
      )
    case 'folder':
      return <FolderDialog id={dialog.id} cid={dialog.cid} />
    case 'delete-folder':
      return <DeleteFolderDialog id={dialog.id} />
    case 'why-unread':
      return (
        <Suspense fallback={null}>
          <WhyUnreadDialog cid={dialog.cid} parentId={dialog.parentId} />
        </Suspense>
      )
    case 'why-notified':
      return (
        <Suspense fallback={null}>
          <WhyNotifiedDialog cid={dialog.cid} messageId={dialog.messageId} />
        </Suspense>
      )
    case 'elsewhere':
      return <ElsewhereDialog link={dialog.link} />
    case 'notify-level':
      return (
        <Suspense fallback={null}>
          <LevelDialog cid={dialog.cid} />
        </Suspense>
      )
    case 'channel':
      return (
        <Suspense fallback={null}>
          <ChannelQuestions what={dialog.what} cid={dialog.cid} />
        </Suspense>
      )
    case 'person':
      return (
        <Suspense fallback={null}>
          <PersonDialog userId={dialog.userId} />
        </Suspense>
      )
    case 'mute':
      return (
        <Suspense fallback={null}>
          <MuteDialog target={dialog.target} />
        </Suspense>
      )
    case 'ban':
      return (
        <Suspense fallback={null}>
          <BanDialog cid={dialog.cid} userId={dialog.userId} />
        </Suspense>
      )
    case 'report':
      return (
        <Suspense fallback={null}>
          <ReportDialog target={dialog.target} />
        </Suspense>
      )
    case 'reminder':
      return (
        <Suspense fallback={null}>
          <ReminderDialog messageId={dialog.messageId} />
        </Suspense>
      )
  }
}

function TheSwitcher() {
  const actions = useSwitcherActions()
  return (
    <Suspense fallback={<SwitcherWaiting />}>
      <Switcher actions={actions} />
    </Suspense>
  )
}

function TheSheet() {
  return <ShortcutSheet groups={useShortcutGroups()} />
}
