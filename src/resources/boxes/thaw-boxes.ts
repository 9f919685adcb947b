/** Thaws the boxes of a process that was killed: version 1 of control groups lets no frozen program die. */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { GROUPS_FILE } from './box.ts'
import { SYSTEM_PATH } from './isolation/isolation.ts'

/** Waits for the end of its input, which the process holds open. Its programs then die by themselves. */
const SCRIPT = `
use strict; use warnings; use POSIX ();
my ($home, $file) = @ARGV;
opendir(my $open, '/proc/self/fd') or exit 1;
my @numbers = grep { /^\\d+$/ && $_ > 2 } readdir($open);
closedir($open);
POSIX::close($_) for @numbers;
$SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM);
1 while sysread(STDIN, my $ignored, 4096);
opendir(my $boxes, $home) or exit 0;
for my $box (readdir($boxes)) {
  open(my $groups, '<', "$home/$box/$file") or next;
  for my $path ((<$groups> // '') =~ /"([^"]+)"/g) {
    open(my $state, '+<', "$path/freezer.state") or next;
    syswrite($state, 'THAWED');
  }
}`

/** `home`: the folder of the boxes of this process. Returns the function that stops waiting. */
export function thawAfterDeath(home: string): () => void {
  const child = spawn('perl', ['-e', SCRIPT, home, GROUPS_FILE], {
    cwd: '/',
    env: { PATH: SYSTEM_PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    // Signals of a terminal are for the gateway only.
    detached: true,
  })
  // Isolations that freeze boxes need perl, too.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  const input = child.stdin as unknown as Socket
  input.unref()
  return () => void child.kill('SIGKILL')
}
