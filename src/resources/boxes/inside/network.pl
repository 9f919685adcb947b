# Passes connections to the port of the proxy on to the socket of the gateway. Part of agent.pl.
package Network;
use strict;
use warnings;
use Errno;
use IO::Handle;
use Socket;

my ($CHUNK, $MOST_LINKS) = (65536, 64);
my ($listener, $socket_path, @links);

sub listen_on {
  (my $port, $socket_path) = @_;
  my $first = connect_to_gateway() or die "network: $!\n";
  close($first);
  socket($listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
  setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($listener, sockaddr_in($port, INADDR_LOOPBACK)) or die "bind: $!\n";
  listen($listener, $MOST_LINKS) or die "listen: $!\n";
  $listener->blocking(0);
}

sub connect_to_gateway {
  socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or return;
  # Fails instead of waiting when the gateway does not accept.
  $socket->blocking(0);
  connect($socket, sockaddr_un($socket_path)) or return;
  return $socket;
}

# Adds the sockets to the sets of select. A side is read only when the other one took everything.
sub watch {
  my ($readable, $writable) = @_;
  return if !$listener;
  vec($$readable, fileno($listener), 1) = 1 if @links < $MOST_LINKS;
  for my $link (@links) {
    for my $at (0, 1) {
      my ($from, $to) = ($link->[$at], $link->[1 - $at]);
      if (length $to->{pending}) { vec($$writable, fileno($to->{socket}), 1) = 1 }
      elsif (!$from->{ended}) { vec($$readable, fileno($from->{socket}), 1) = 1 }
    }
  }
}

sub pass_on {
  my ($readable, $writable) = @_;
  return if !$listener;
  my @open = @links;
  accept_one() if @links < $MOST_LINKS && vec($readable, fileno($listener), 1);
  for my $link (@open) {
    my $is_open = 1;
    for my $at (0, 1) {
      my ($from, $to) = ($link->[$at], $link->[1 - $at]);
      if (length $to->{pending}) { $is_open &&= write_to($to) if vec($writable, fileno($to->{socket}), 1) }
      elsif (!$from->{ended} && vec($readable, fileno($from->{socket}), 1)) { $is_open &&= read_from($from, $to) }
      if ($from->{ended} && !length $to->{pending} && !$to->{shut}) { shutdown($to->{socket}, 1); $to->{shut} = 1 }
    }
    $is_open = 0 if $link->[0]{shut} && $link->[1]{shut};
    next if $is_open;
    close($_->{socket}) for @$link;
    @links = grep { $_ != $link } @links;
  }
}

sub accept_one {
  accept(my $client, $listener) or return;
  $client->blocking(0);
  my $gateway = connect_to_gateway() or return;
  push @links, [map { { socket => $_, pending => '', ended => 0, shut => 0 } } $client, $gateway];
}

# False if the connection has failed.
sub read_from {
  my ($from, $to) = @_;
  my $read = sysread($from->{socket}, $to->{pending}, $CHUNK);
  return $!{EAGAIN} || $!{EINTR} if !defined $read;
  if ($read == 0) { $from->{ended} = 1; return 1 }
  return write_to($to);
}

sub write_to {
  my ($to) = @_;
  my $written = syswrite($to->{socket}, $to->{pending});
  return $!{EAGAIN} || $!{EINTR} if !defined $written;
  substr($to->{pending}, 0, $written, '');
  return 1;
}

1;
