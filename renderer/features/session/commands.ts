import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { command } from '../../store/command.ts'

/** Quiet: the screen or dialog shows the error. */
export const openDemo = command(
  'session/demoOpened',
  (input: { name: string; picture?: SmallPicture }, engine) => engine.session.openDemo(input),
  { quiet: true },
)
export const createWorkspace = command(
  'session/workspaceMade',
  (input: { name: string; yourName: string; picture?: SmallPicture }, engine) => engine.session.createWorkspace(input),
  { quiet: true },
)
export const connectHosted = command(
  'session/hostedConnected',
  (input: { url: string; apiKey: string; token?: string; tokenUrl?: string; guest?: boolean }, engine) =>
    engine.session.connectHosted(input),
  { quiet: true },
)
export const timeServer = command(
  'session/serverTimed',
  (input: { url: string; apiKey: string }, engine) => engine.session.timeServer(input),
  { quiet: true },
)
export const askSystemName = command(
  'session/systemNameAsked',
  (_input: undefined, engine) => engine.session.systemName(),
  { quiet: true },
)
export const deleteDemo = command('session/demoDeleted', (_input: undefined, engine) => engine.session.deleteDemo(), {
  quiet: true,
})
export const restartDemo = command(
  'session/demoRestarted',
  (_input: undefined, engine) => engine.session.restartDemo(),
  { quiet: true },
)
export const deleteLeft = command(
  'session/leftDeleted',
  (input: { place: string }, engine) => engine.session.deleteLeft(input),
  { quiet: true },
)
export const deleteWorkspace = command(
  'session/workspaceDeleted',
  (input: { key: string }, engine) => engine.session.deleteWorkspace(input),
  { quiet: true },
)
export const signOut = command(
  'session/signedOut',
  (input: { wipe: boolean; key?: string }, engine) => engine.session.signOut(input),
  { quiet: true },
)
export const openWindowAs = command(
  'session/windowOpened',
  (input: { userId: string }, engine) => engine.app.openWindowAs(input),
  {
    quiet: true,
  },
)
export const listLocalPeople = command(
  'session/peopleAsked',
  (_input: undefined, engine) => engine.session.localPeople(),
  { quiet: true },
)
export const addPerson = command(
  'session/personAdded',
  (input: { name: string }, engine) => engine.session.addPerson(input),
  { quiet: true },
)
export const countUnsent = command(
  'session/unsentAsked',
  (input: { key?: string }, engine) => engine.session.unsentCount(input),
  { quiet: true },
)
export const listLeftWorkspaces = command(
  'session/leftAsked',
  (_input: undefined, engine) => engine.session.leftWorkspaces(),
  { quiet: true },
)
export const openLeft = command(
  'session/leftOpened',
  (input: { place: string }, engine) => engine.session.openLeft(input),
  { quiet: true },
)
