/**
 * Attempts to leave a box. Each probe exits with 0 if it succeeds. Probes with a control run outside
 * of a box, too, where they must succeed: a probe that never succeeds would prove nothing.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { before, describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import type { Box } from './box.ts'
import { findTestIsolation } from './testing/find-isolation.ts'
import { openTestBox } from './testing/open-test-box.ts'

const isolation = await findTestIsolation()
const isRoot = process.getuid?.() === 0
const SECRET = 'TOLLGATE_ESCAPE_SECRET'
const tcp = createServer()
const abstract = createServer()
const abstractName = `tollgate-escape-${process.pid}`
let box: Box

const perlSocket = (family: number, address: string): string =>
  `perl -MSocket -e 'socket(my $s, ${family}, SOCK_STREAM, 0) or exit 1; connect($s, ${address}) or exit 1'`

/** Commands by name; `control`: whether the test may run it outside. */
const PROBES = (port: number): readonly (readonly [string, string, boolean])[] => [
  ['sees the process of the gateway', `grep -q . /proc/${process.pid}/cmdline`, true],
  ['sends it a signal', `kill -0 ${process.pid}`, true],
  ['reads secrets of the environment', `grep -q ${SECRET} /proc/*/environ`, isRoot],
  [
    'connects to a port of the machine',
    perlSocket(2, `sockaddr_in(${port}, inet_aton("127.0.0.1"))`),
    true,
  ],
  ['connects to an abstract socket', perlSocket(1, `pack("S", 1) . "\\0${abstractName}"`), true],
  [
    'has another network interface than the loopback',
    'grep -vq "lo:\\|face\\|Receive" /proc/net/dev',
    false,
  ],
  [
    'connects to the metadata service',
    perlSocket(2, 'sockaddr_in(80, inet_aton("169.254.169.254"))'),
    false,
  ],
  ['opens a socket to the hypervisor', "perl -e 'socket(my $s, 40, 1, 0) or exit 1'", false],
  ['mounts a file system', 'mkdir -p /tmp/m && mount -t tmpfs x /tmp/m', false],
  ['creates namespaces', 'unshare --user --map-root-user true', true],
  [
    'traces a process',
    "perl -e 'exit(syscall(101, 0, 0, 0, 0) == 0 ? 0 : 1)'",
    process.arch === 'x64',
  ],
  ['reads key rings', "perl -e 'exit(syscall(250, 0, -3, 1) > 0 ? 0 : 1)'", false],
  [
    'loads a BPF program',
    "perl -e 'exit($!{EPERM} ? 1 : 0) if syscall(321, 0, 0, 0) < 0; exit 0' -MErrno",
    false,
  ],
  ['reads passwords', 'cat /etc/shadow', isRoot],
  ['sees homes', 'ls /root /home', true],
  ['sees the code of the gateway', `ls ${process.cwd()}/package.json`, true],
  ['follows a link out of its folder', `ln -sf ${process.cwd()}/package.json l && cat l`, false],
  ['writes to the programs of the machine', 'touch /usr/bin/tollgate-escape', false],
  ['writes settings of the kernel', 'echo 0 >/proc/sys/kernel/panic', false],
  ['opens a disk', 'ls /dev/vda /dev/sda /dev/mem /dev/kmsg 2>/dev/null | grep -q .', false],
  ['creates a device', 'mknod d b 8 0', false],
  ['has capabilities', 'grep -Eq "Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/self/status', isRoot],
  ['may gain rights', 'grep -q "NoNewPrivs:.*0" /proc/self/status', true],
  [
    'writes more than its disk',
    'for i in 1 2 3 4; do head -c 8000000 /dev/zero >f$i || exit 1; done',
    false,
  ],
  ['uses more than its memory', 'perl -e \'$x = "a" x 400_000_000; exit 0\'', false],
  ['starts more than its processes', 'for i in $(seq 200); do sleep 5 & done', false],
  [
    'opens more than its files',
    'perl -e \'for (1..5000) { open($f[$_], "<", "/dev/null") or exit 1 }\'',
    false,
  ],
]

function runOutside(command: string): Promise<number> {
  return new Promise((resolve) => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', [SECRET]: '1' }
    execFile('/bin/sh', ['-c', command], { cwd: '/tmp', env }, (error) =>
      resolve(error === null ? 0 : 1),
    )
  })
}

describe('a program in a box', { skip: isolation.skip }, () => {
  let probes: ReturnType<typeof PROBES> = []

  before(async () => {
    await new Promise<void>((ready) => void tcp.listen(0, '127.0.0.1', ready))
    await new Promise<void>((ready) => void abstract.listen(`\0${abstractName}`, ready))
    cleanUp(() => void [tcp, abstract].map((server) => server.close()))
    const address = tcp.address()
    probes = PROBES(typeof address === 'object' && address !== null ? address.port : 0)
    box = await openTestBox(isolation)
  })

  it('leaves it by no attempt, and the attempts work outside of it', async () => {
    const escapes: string[] = []
    const useless: string[] = []
    for (const [name, command, hasControl] of probes) {
      const { exitCode } = await box.run(['sh', '-c', command], { seconds: 10 })
      if (exitCode === 0) escapes.push(name)
      if (hasControl && (await runOutside(command)) !== 0) useless.push(name)
      await box.run(['sh', '-c', 'rm -rf f* l d; kill -9 -1'], { seconds: 5 })
    }
    assert.deepEqual({ escapes, useless }, { escapes: [], useless: [] })
  })
})
