# The first process of a box. It starts programs, passes on their output and reaps them.
# Arguments: the seccomp filter in hexadecimal and the numbers of the system calls seccomp and prctl,
# "-" for none. With a network also the port of its proxy and the path of the socket of the gateway.
# Frames on both pipes: type, id (uint32), length (uint32), payload.
use strict;
use warnings;
use Errno;
use IO::Handle;
use POSIX ();

my ($filter, $seccomp, $prctl, $port, $socket_path) = @ARGV;
my ($PR_SET_DUMPABLE, $PR_SET_CHILD_SUBREAPER) = (4, 36);
my ($WNOHANG, $CHUNK, $MOST_PENDING, $LARGEST_FRAME, $MOST_PASSES) = (1, 65536, 1 << 20, 1 << 24, 100);

# Files and sockets of the gateway that were inherited would lead out of the box.
sub close_files {
  my ($first) = @_;
  opendir(my $open, '/proc/self/fd') or die "/proc/self/fd: $!\n";
  my @numbers = grep { /^\d+$/ && $_ >= $first } readdir($open);
  closedir($open);
  POSIX::close($_) for @numbers;
}
close_files(3);

# Other programs have the same user. They must not reach the pipes of this process.
if ($prctl ne '-') { syscall($prctl, $PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 or die "prctl: $!\n" }
if ($filter ne '-') {
  my $code = pack('H*', $filter);
  my $program = pack('S x6 P', length($code) / 8, $code);
  syscall($seccomp, 1, 0, $program) == 0 or die "seccomp: $!\n";
}

$SIG{PIPE} = 'IGNORE';
pipe(my $child_ended, my $child_signal) or die "pipe: $!\n";
$_->blocking(0) for $child_ended, $child_signal;
$SIG{CHLD} = sub { syswrite($child_signal, 'x') };
binmode($_) for *STDIN, *STDOUT;

my (%running, $received, $seen) = ();
$received = '';

sub send_frame {
  my ($type, $id, $payload) = @_;
  my $frame = pack('a N N/a*', $type, $id, $payload);
  my $at = 0;
  while ($at < length $frame) {
    my $written = syswrite(STDOUT, $frame, length($frame) - $at, $at);
    if (!defined $written) { next if $!{EINTR}; exit 1 }
    $at += $written;
  }
}

sub start {
  my ($id, $payload) = @_;
  my ($folder, $limit, $count, @rest) = unpack('(N/a*)*', $payload);
  my @arguments = splice(@rest, 0, $count);
  my @pipes;
  for (0 .. 2) { pipe(my $read, my $write) or return send_frame('F', $id, "$!"); push @pipes, [$read, $write] }
  my $pid = fork();
  return send_frame('F', $id, "$!") if !defined $pid;
  if ($pid == 0) {
    setpgrp(0, 0);
    keep(\@arguments, sub {
      open(STDIN, '<&', $pipes[0][0]);
      open(STDOUT, '>&', $pipes[1][1]);
      open(STDERR, '>&', $pipes[2][1]);
      close_files(3);
      chdir($folder) or chdir('/');
      %ENV = map { split(/=/, $_, 2) } @rest;
    });
  }
  close($pipes[0][0]); close($pipes[1][1]); close($pipes[2][1]);
  my ($in, $out, $err) = ($pipes[0][1], $pipes[1][0], $pipes[2][0]);
  $_->blocking(0) for $in, $out, $err;
  $running{$id} = { pid => $pid, in => $in, pending => '', ended => 0, streams => { O => $out, S => $err }, left => { O => $limit, S => $limit } };
}

# Runs a program and exits like it. Adopts the processes below it, so that kill_all finds them.
sub keep {
  my ($arguments, $prepare) = @_;
  syscall($prctl, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) if $prctl ne '-';
  $SIG{CHLD} = 'DEFAULT';
  my $program = fork();
  POSIX::_exit(126) if !defined $program;
  if ($program == 0) {
    $SIG{PIPE} = 'DEFAULT';
    $prepare->();
    suggest_to_memory_killer();
    { no warnings; exec { $arguments->[0] } @$arguments; }
    my $is_missing = $!{ENOENT};
    print STDERR "$arguments->[0]: $!\n";
    POSIX::_exit($is_missing ? 127 : 126);
  }
  # Signals of the program to its group are not for this process.
  $SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM USR1 USR2 ALRM TSTP TTIN TTOU);
  close_files(0);
  while (1) {
    my $ended = waitpid(-1, 0);
    POSIX::_exit(exit_code($?)) if $ended == $program || $ended < 0 && !$!{EINTR};
  }
}

sub exit_code {
  my ($status) = @_;
  return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

# The kernel kills programs before the agent when memory runs out. The agent has no lower value than
# the gateway, because programs inherit the least value that they may set.
sub suggest_to_memory_killer {
  # Only the owner of a dumpable process may write it. All inherited files are closed.
  syscall($prctl, $PR_SET_DUMPABLE, 1, 0, 0, 0) if $prctl ne '-';
  open(my $score, '>', '/proc/self/oom_score_adj') or return;
  syswrite($score, '1000');
}

# The living processes below these, also those in sessions of their own.
sub descendants_of {
  my @next = @_;
  my (%children, @found);
  opendir(my $all, '/proc') or return;
  for my $pid (grep { /^\d+$/ } readdir($all)) {
    open(my $stat, '<', "/proc/$pid/stat") or next;
    my ($state, $parent) = (<$stat> // '') =~ /.*\) (\S) (\d+)/s or next;
    push @{ $children{$parent} }, $pid if $state ne 'Z';
  }
  while (defined(my $one = shift @next)) {
    my $own = delete $children{$one} // [];
    push @found, @$own;
    push @next, @$own;
  }
  return @found;
}

# Stops the processes before it kills them, so that they start no others meanwhile.
sub kill_all {
  my ($keeper) = @_;
  my %found = ($keeper => 1);
  kill('STOP', $keeper);
  for (1 .. $MOST_PASSES) {
    my @new = grep { !$found{$_}++ } descendants_of(keys %found);
    last if !@new;
    kill('STOP', @new);
  }
  kill('-KILL', $keeper);
  kill('KILL', keys %found);
}

# Reads once. Output beyond the limit, and of a background program, is dropped.
sub pass_on {
  my ($id, $type) = @_;
  my $one = $running{$id};
  my $read = sysread($one->{streams}{$type}, my $data, $CHUNK);
  return 0 if !defined $read;
  if ($read == 0) { close(delete $one->{streams}{$type}); return 0 }
  if (!$one->{ended} && $one->{left}{$type} > 0) {
    send_frame($type, $id, substr($data, 0, $one->{left}{$type}));
    $one->{left}{$type} -= length $data;
  }
  return 1;
}

sub reap {
  while ((my $pid = waitpid(-1, $WNOHANG)) > 0) {
    my $status = exit_code($?);
    my ($id) = grep { $running{$_}{pid} == $pid } keys %running;
    next if !defined $id;
    my $one = $running{$id};
    for my $type (keys %{ $one->{streams} }) {
      my $most = 64;
      $most-- while $most > 0 && exists $one->{streams}{$type} && pass_on($id, $type);
    }
    $one->{ended} = 1;
    close(delete $one->{in}) if $one->{in};
    send_frame('X', $id, pack('N', $status));
  }
}

sub handle_frame {
  my ($type, $id, $payload) = @_;
  if ($type eq 'R') { start($id, $payload) }
  my $one = $running{$id} or return;
  if ($type eq 'I' && $one->{in}) { $one->{pending} .= $payload }
  if ($type eq 'E') { $one->{end_of_input} = 1 }
  if ($type eq 'K' && !$one->{ended}) {
    my ($signal) = unpack('N', $payload);
    $signal == 9 ? kill_all($one->{pid}) : kill(-$signal, $one->{pid});
  }
}

sub feed {
  my ($one) = @_;
  if (length $one->{pending}) {
    my $written = syswrite($one->{in}, $one->{pending});
    if (defined $written) { substr($one->{pending}, 0, $written, '') }
    elsif (!$!{EAGAIN} && !$!{EINTR}) { $one->{pending} = ''; close(delete $one->{in}); return }
  }
  close(delete $one->{in}) if $one->{end_of_input} && !length $one->{pending};
}

if (defined $port) {
  require($0 =~ s/[^\/]*$/network.pl/r);
  Network::listen_on($port, $socket_path);
}
send_frame('H', 0, '');
while (1) {
  my ($readable, $writable) = ('', '');
  vec($readable, fileno($child_ended), 1) = 1;
  my $is_full = grep { length $_->{pending} > $MOST_PENDING } values %running;
  vec($readable, fileno(STDIN), 1) = 1 if !$is_full;
  for my $one (values %running) {
    vec($readable, fileno($_), 1) = 1 for values %{ $one->{streams} };
    vec($writable, fileno($one->{in}), 1) = 1 if $one->{in} && (length $one->{pending} || $one->{end_of_input});
  }
  Network::watch(\$readable, \$writable) if defined $port;
  next if select($readable, $writable, undef, undef) < 0;
  Network::pass_on($readable, $writable) if defined $port;
  for my $id (keys %running) {
    my $one = $running{$id};
    for my $type (keys %{ $one->{streams} }) {
      pass_on($id, $type) if vec($readable, fileno($one->{streams}{$type}), 1);
    }
    feed($one) if $one->{in} && vec($writable, fileno($one->{in}), 1);
  }
  if (vec($readable, fileno($child_ended), 1)) { sysread($child_ended, my $ignored, $CHUNK); reap() }
  for my $id (keys %running) {
    delete $running{$id} if $running{$id}{ended} && !%{ $running{$id}{streams} };
  }
  next if !vec($readable, fileno(STDIN), 1);
  my $read = sysread(STDIN, $received, $CHUNK, length $received);
  # The gateway has closed the box, or has ended.
  exit 0 if defined $read && $read == 0;
  while (length $received >= 9) {
    my ($type, $id, $length) = unpack('a N N', $received);
    exit 1 if $length > $LARGEST_FRAME;
    last if length $received < 9 + $length;
    my $payload = substr($received, 9, $length);
    substr($received, 0, 9 + $length, '');
    handle_frame($type, $id, $payload);
  }
}
