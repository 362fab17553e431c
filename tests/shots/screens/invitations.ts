import { oddLink, takePort } from '../newcomers.ts'
import { button, fill, inTurn, item, signOut, wait, type Step } from '../steps.ts'
import type { Screen } from './index.ts'
import { NARROW } from './sizes.ts'

const DAY_MS = 86_400_000
/** The first port that sharing takes. */
const FIRST_PORT = 7_443

const workspace = (entry: string): Step => inTurn(button(/^Workspace /), item(entry), wait(300))

/** The invitation is pasted, and looked at. */
const pasted = (link: () => Promise<string> | string): Step =>
  inTurn(
    signOut,
    fill('Your name', 'Łucja Nowak'),
    button(/^Join or connect/),
    button(/^I have an invitation/),
    async (page) => page.getByLabel('Link or code').fill(await link()),
    button('Continue'),
    wait(1_500),
  )
const odd = (...of: Parameters<typeof oddLink>): Step => pasted(() => oddLink(...of))
const asked = (answers: Parameters<typeof oddLink>[0]): Step => inTurn(odd(answers), button('Join'), wait(1_500))

/** What stands in the way of sharing, and where invitations lead that no longer hold. */
export const invitationScreens: readonly Screen[] = [
  {
    name: 'sharing-port-taken',
    stage: 'several',
    go: inTurn(
      () => takePort(FIRST_PORT),
      workspace('Create your own workspace…'),
      fill('Workspace name', 'Kitchen table'),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Create workspace' }).click(),
      wait(2_000),
      workspace('Share on this network…'),
      button('Start sharing'),
      wait(2_500),
    ),
  },
  {
    name: 'sharing-port-taken-450',
    stage: 'several',
    go: workspace('Share on this network…'),
    size: NARROW,
  },
  { name: 'invitation-wrong', stage: 'left', go: odd({ refusal: { invitation: 'wrong' } }) },
  { name: 'invitation-ended', stage: 'left', go: odd({ refusal: { invitation: 'ended' } }) },
  { name: 'invitation-ended-450', stage: 'left', go: odd({ refusal: { invitation: 'ended' } }), size: NARROW },
  { name: 'invitation-used', stage: 'left', go: odd({ refusal: { invitation: 'used' } }) },
  { name: 'invitation-newer', stage: 'left', go: odd({ refusal: { version: '9' } }) },
  { name: 'invitation-older', stage: 'left', go: odd({ refusal: { version: '0' } }) },
  { name: 'invitation-certificate', stage: 'left', go: odd({}, { other: true }) },
  { name: 'invitation-clock', stage: 'left', go: odd({ madeAt: Date.now() + 400 * DAY_MS }) },
  {
    name: 'invitation-unreachable',
    stage: 'left',
    go: pasted(async () => (await oddLink({})).replace(/:\d+\//u, ':9/')),
  },
  { name: 'invitation-refused', stage: 'left', go: asked({ answer: { state: 'refused' } }) },
  { name: 'invitation-declined', stage: 'left', go: inTurn(asked({ later: { state: 'refused' } }), wait(2_500)) },
  { name: 'invitation-over', stage: 'left', go: inTurn(asked({ later: { state: 'gone' } }), wait(2_500)) },
]
