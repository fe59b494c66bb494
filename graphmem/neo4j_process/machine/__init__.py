"""What the machine has: Java, the jars from Maven, other processes, files and room on the disk."""
